#include "jobs/service/work_book.hpp"

#include "process/base/planted_command_fault.hpp"

#include <algorithm>
#include <stdexcept>

namespace troupe {

namespace {

constexpr job_id numbers_at_once = 1'000; // of scheduler's jobs, for each mark in the store

} // namespace

work_book::work_book(live_jobs stored, service_time now)
  : next_job_(stored.next_job),
    next_scheduler_job_(stored.next_scheduler_job),
    reserved_scheduler_jobs_(stored.next_scheduler_job) {
  for (const auto& one : stored.jobs)
    adopt(one);
  for (const auto& one : stored.jobs)
    for (const auto& row : one.open) {
      auto* const j = get(row.which.job);
      open_attempt attempt{
        row.which,           {}, row.node, row.boot, row.machine_state, row.granted_ms, {}, {},
        j->row.cancel_ms > 0};
      attempt.lease = j->group_of(row.which.task).lease;
      leases_.open(std::move(attempt), now.steady);
    }
  for (const auto& [id, j] : jobs_) {
    // What is over was told when it ended: a predecessor that is not live has succeeded.
    wait_for_predecessors(*j, {}, now);
    release_groups(*j);
    for (auto& g : j->groups) {
      if (g.rest == task_state::queued && g.untouched() > 0)
        place_later(*j, g, g.count);
      for (std::uint32_t i = 0; i < g.tasks.size(); ++i)
        if (g.tasks[i].touched && g.tasks[i].state == task_state::queued)
          place_later(*j, g, i);
    }
  }
  place_all();
}

live_job* work_book::get(std::uint64_t id) {
  const auto it = jobs_.find(id);
  return it == jobs_.end() ? nullptr : it->second.get();
}

const live_job* work_book::find(std::uint64_t id) const {
  const auto it = jobs_.find(id);
  return it == jobs_.end() ? nullptr : it->second.get();
}

live_job& work_book::adopt(const live_jobs::one& stored) {
  auto made = std::make_unique<live_job>();
  made->spec = read_job_json(stored.job.spec);
  made->row = stored.job;
  made->row.spec.clear();
  for (const auto& row : stored.groups) {
    live_group g;
    g.number = row.number;
    g.first = row.first_task;
    g.count = row.tasks;
    g.rest = row.rest;
    g.rest_reason = row.rest_reason;
    g.counts = row.counts;
    g.lease = made->spec.groups.at(row.number).lease;
    g.broken = g.counts.failed + g.counts.cancelled > 0;
    made->groups.push_back(std::move(g));
  }
  for (const auto& row : stored.tasks) {
    auto& g = made->groups.at(row.group);
    if (g.tasks.empty())
      g.tasks.resize(g.count);
    auto& t = g.tasks.at(row.task - g.first);
    t = {0, row.attempts, row.retries, row.losses, row.state, true};
    ++g.touched;
  }
  live_tasks_ += made->row.tasks;
  auto& place = jobs_[made->row.id];
  place = std::move(made);
  return *place;
}

std::uint64_t work_book::submit(job_spec spec, const std::string& key,
                                const std::map<std::uint64_t, job_state>& predecessor_states,
                                service_time now) {
  const auto id = next_job_++;
  changes_.next_job = next_job_;
  auto made = std::make_unique<live_job>();
  auto& row = made->row;
  row.id = id;
  row.name = spec.name;
  row.tenant = spec.tenant;
  row.priority = spec.priority;
  row.tasks = spec.task_count();
  row.submitted_ms = now.utc_ms;
  std::uint32_t first = 0;
  for (const auto& from : spec.groups) {
    live_group g;
    g.number = static_cast<std::uint32_t>(made->groups.size());
    g.first = first;
    g.count = from.count;
    g.lease = from.lease;
    first += from.count;
    made->groups.push_back(std::move(g));
  }
  changes_.jobs.push_back(row);
  changes_.jobs.back().spec = to_json(spec);
  if (!key.empty())
    changes_.submissions.push_back({spec.tenant, key, id});
  made->spec = std::move(spec);
  live_tasks_ += made->row.tasks;
  auto& j = *(jobs_[id] = std::move(made));
  for (const auto& g : j.groups)
    note(j, g);
  wait_for_predecessors(j, predecessor_states, now);
  release_groups(j);
  place_all();
  return id;
}

void work_book::wait_for_predecessors(live_job& j, const std::map<std::uint64_t, job_state>& states,
                                      service_time now) {
  std::uint64_t failed = 0;
  for (const auto id : j.spec.after) {
    const auto* const before = find(id);
    const auto known = states.find(id);
    if (before != nullptr && !is_over(before->row.state)) {
      j.waits_for.insert(id);
      dependents_[id].insert(j.row.id);
    } else if (before != nullptr ? before->row.state != job_state::succeeded
                                 : known != states.end() && known->second != job_state::succeeded) {
      failed = id;
    }
  }
  if (failed == 0)
    return;
  for (auto& g : j.groups)
    cancel_rest(j, g, "job " + std::to_string(failed) + " did not succeed");
  finish_if_over(j, now);
}

live_task& work_book::touch(live_job& j, live_group& g, std::uint32_t in_group) {
  if (g.tasks.empty())
    g.tasks.resize(g.count);
  auto& t = g.tasks[in_group];
  if (!t.touched) {
    t.touched = true;
    t.state = g.rest;
    t.placed_by = g.rest_placed_by;
    ++g.touched;
    note(j, g);
  }
  return t;
}

void work_book::write(const live_job& j, const live_group& g, std::uint32_t in_group,
                      const std::string& reason) {
  const auto& t = g.tasks[in_group];
  const job_task which{j.row.id, g.first + in_group};
  changed_tasks_[which] = {j.row.id,   which.task, g.number, t.state,
                           t.attempts, t.retries,  t.losses, reason};
}

void work_book::note(const live_job& j, const live_group& g) {
  note(j);
  changed_groups_.emplace(j.row.id, g.number);
}

void work_book::place_later(live_job& j, live_group& g, std::uint32_t in_group) {
  to_place_[{j.row.id, g.number}].push_back(in_group);
}

void work_book::place_all() {
  for (auto& [where, tasks] : std::exchange(to_place_, {})) {
    auto* const j = get(where.first);
    if (j == nullptr || is_over(j->row.state))
      continue;
    auto& g = j->groups[where.second];
    // The number behind the last task stands for all untouched ones.
    const bool rest = std::ranges::find(tasks, g.count) != tasks.end();
    std::erase_if(tasks, [&](std::uint32_t i) {
      return i == g.count || g.tasks[i].state != task_state::queued || g.tasks[i].placed_by != 0;
    });
    if (rest && g.touched == 0) {
      hand_out(*j, g, {});
      continue;
    }
    if (rest)
      for (std::uint32_t i = 0; i < g.count; ++i)
        if (!g.tasks[i].touched)
          tasks.push_back(i);
    std::ranges::sort(tasks);
    tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
    if (!tasks.empty())
      hand_out(*j, g, std::move(tasks));
  }
}

void work_book::hand_out(live_job& j, live_group& g, std::vector<std::uint32_t> tasks) {
  const auto id = next_scheduler_job();
  const auto count = tasks.empty() ? g.count : static_cast<std::uint32_t>(tasks.size());
  if (tasks.empty()) {
    g.rest_placed_by = id;
  } else {
    for (const auto i : tasks)
      if (g.tasks[i].touched)
        g.tasks[i].placed_by = id;
      else
        g.rest_placed_by = id;
  }
  const auto& spec = j.spec.groups[g.number];
  job made;
  made.id = id;
  made.estimate = spec.time_limit;
  made.priority = j.row.priority;
  made.gang = spec.gang && count > 1;
  task_group group;
  group.count = count;
  group.demand = spec.demand();
  group.durations = {spec.time_limit};
  group.constraints = spec.constraints;
  made.groups.push_back(std::move(group));
  orders_.made.push_back(std::move(made));
  handed_[id] = {j.row.id, g.number, std::move(tasks), count};
}

job_id work_book::next_scheduler_job() {
  if (next_scheduler_job_ >> scheduler_job_bits != 0)
    throw std::runtime_error{"the numbers for the scheduling layer are used up"};
  if (next_scheduler_job_ == reserved_scheduler_jobs_) {
    reserved_scheduler_jobs_ += numbers_at_once;
    changes_.next_scheduler_job = reserved_scheduler_jobs_;
  }
  return next_scheduler_job_++;
}

void work_book::leave(job_id placed_by) {
  const auto it = handed_.find(placed_by);
  if (it != handed_.end() && --it->second.left == 0)
    handed_.erase(it);
}

std::vector<job_id> work_book::handed_out_below(job_id end) const {
  std::vector<job_id> ids;
  for (const auto& [id, _] : handed_)
    if (id < end)
      ids.push_back(id);
  std::ranges::sort(ids);
  return ids;
}

store_batch work_book::take_changes() {
  for (const auto id : std::exchange(changed_jobs_, {})) {
    auto* const j = get(id);
    if (j == nullptr)
      continue;
    const auto is_new = std::ranges::find(changes_.jobs, id, &job_row::id);
    if (is_new != changes_.jobs.end()) {
      auto spec = std::move(is_new->spec);
      *is_new = j->row;
      is_new->spec = std::move(spec);
    } else {
      changes_.jobs.push_back(j->row);
    }
  }
  for (const auto& [id, number] : std::exchange(changed_groups_, {}))
    if (auto* const j = get(id)) {
      const auto& g = j->groups[number];
      changes_.groups.push_back({id, g.number, g.first, g.count, g.rest, g.rest_reason, g.counts});
    }
  for (auto& [_, row] : std::exchange(changed_tasks_, {}))
    changes_.tasks.push_back(std::move(row));
  for (auto& [_, row] : std::exchange(changed_attempts_, {}))
    if (!planted(command_fault::unstored_attempt))
      changes_.attempts.push_back(std::move(row));
  return std::exchange(changes_, {});
}

scheduler_orders work_book::take_orders() {
  return std::exchange(orders_, {});
}

std::vector<std::uint64_t> work_book::take_ended() {
  return std::exchange(ended_, {});
}

void work_book::forget_ended(const std::vector<std::uint64_t>& ids) {
  for (const auto id : ids)
    if (const auto* j = find(id);
        j != nullptr && is_over(j->row.state) && !changed_jobs_.contains(id))
      jobs_.erase(id);
}

void work_book::forget(const std::vector<std::uint64_t>& ids) {
  for (const auto id : ids)
    if (find(id) == nullptr) // else it was retried, or its end is not durable yet
      changes_.forgotten.push_back(id);
}

std::vector<attempt_key> work_book::open_among(const std::vector<attempt_key>& keys) {
  std::vector<attempt_key> out;
  for (const auto& key : keys)
    if (const auto* a = leases_.find({key.job, key.task}); a != nullptr && a->which == key)
      out.push_back(key);
  return out;
}

} // namespace troupe
