#include "jobs/service/work_book.hpp"
#include "jobs/spec/attempt_spec.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr job_id own_number(job_id of_scheduler) {
  return of_scheduler & ((job_id{1} << scheduler_job_bits) - 1);
}

std::int64_t in_ms(duration d) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(d).count();
}

constexpr std::string_view no_machine = "no machine fits";
constexpr duration first_pause = std::chrono::seconds{1};
constexpr duration longest_pause = std::chrono::seconds{60};

attempt_row row_of(const open_attempt& a) {
  attempt_row row;
  row.which = a.which;
  row.node = a.node;
  row.boot = a.boot;
  row.machine_state = a.machine_state;
  row.granted_ms = a.granted_ms;
  row.end.which = a.which;
  return row;
}

attempt_end unknown_end(const attempt_key& which, end_reason reason, const char* detail,
                        service_time now) {
  attempt_end end;
  end.which = which;
  end.reason = reason;
  end.ended_ns = now.utc_ms * 1'000'000;
  end.detail = detail;
  return end;
}

} // namespace

work_answer work_book::hear(const work_report& report, service_time now) {
  work_answer answer;
  const auto& machine = report.machine_state.empty() ? report.node : report.machine_state;
  for (const auto& end : report.ended) {
    const auto* const a = leases_.find({end.which.job, end.which.task});
    if (a == nullptr || a->machine() == machine) // a node may not end what runs on another
      book(end, false, now);
    answer.seen.push_back(end.which);
  }
  if (!report.running.empty() && leases_.hear(machine, report.boot, now.steady))
    hear_process(report, now);
  for (const auto& key : report.running) {
    auto* const a = leases_.find({key.job, key.task});
    if (a == nullptr || a->which != key || a->machine() != machine) {
      answer.stops.push_back({key, end_reason::lease, 0});
    } else {
      leases_.renew(*a, now.steady);
      answer.renewed.push_back(key);
      a->confirmed = true;
      if (report.boot > a->boot) {
        a->boot = report.boot;
        changed_attempts_[key] = row_of(*a);
      }
    }
  }
  for (const auto& as : report.wants)
    answer.permits.push_back(permit(report, as, now));
  for (const auto& task : leases_.on(machine)) {
    const auto& a = *leases_.find(task);
    if (!a.stop) {
      if (a.is_uncertain(report.boot))
        answer.stops.push_back({a.which, end_reason::host_failed, 0});
      continue;
    }
    auto& j = *get(task.job);
    const auto grace = j.spec.groups[j.group_of(task.task).number].grace;
    answer.stops.push_back({a.which, end_reason::cancelled, in_ms(grace)});
  }
  place_all();
  return answer;
}

/// What an earlier process of the node was granted, and this one neither runs nor has told the end
/// of, does not run.
void work_book::hear_process(const work_report& report, service_time now) {
  const auto& machine = report.machine_state.empty() ? report.node : report.machine_state;
  const std::set<attempt_key> there(report.running.begin(), report.running.end());
  const auto tasks = leases_.on(machine); // a copy: ends change it
  for (const auto& task : tasks) {
    const auto& a = *leases_.find(task);
    if (a.boot < report.boot && !there.contains(a.which))
      book(unknown_end(a.which, end_reason::supervisor_lost,
                       "its node was started anew and does not have it", now),
           true, now);
  }
}

start_permit work_book::permit(const work_report& report, task_id as, service_time now) {
  const start_permit refusal{as, start_verdict::refuse, {}, {}};
  const auto latest = latest_of(as);
  if (!latest)
    return refusal;
  auto* const j = latest->first;
  auto& g = j->group_of(latest->second);
  const auto in_group = latest->second - g.first;
  const bool touched = !g.tasks.empty() && g.tasks[in_group].touched;
  const auto state = touched ? g.tasks[in_group].state : g.rest;
  if (state == task_state::queued)
    return grant(report, as, *j, g, in_group, now);
  auto* const a = leases_.find({j->row.id, g.first + in_group});
  if (state != task_state::running || a == nullptr)
    return refusal;
  const auto& machine = report.machine_state.empty() ? report.node : report.machine_state;
  if (a->machine() != machine || a->boot != report.boot)
    return {as, start_verdict::wait, {}, {}};
  if (a->stop)
    return refusal;
  leases_.renew(*a, now.steady); // the node's lease begins at its question, which was earlier
  return {as, start_verdict::run, a->which, spec_of(*j, g, in_group, a->which)};
}

start_permit work_book::grant(const work_report& report, task_id as, live_job& j, live_group& g,
                              std::uint32_t in_group, service_time now) {
  auto& t = touch(j, g, in_group);
  t.state = task_state::running;
  t.pauses = 0;
  if (j.row.reason.starts_with(no_machine))
    j.row.reason.clear();
  ++t.attempts;
  ++g.counts.running;
  ++j.row.counts.running;
  if (j.row.started_ms == 0)
    j.row.started_ms = std::max<std::int64_t>(now.utc_ms, 1);
  if (j.row.state == job_state::queued)
    j.row.state = job_state::running;
  note(j, g);
  write(j, g, in_group, "");
  open_attempt a{{j.row.id, g.first + in_group, t.attempts},
                 as,
                 report.node,
                 report.boot,
                 report.machine_state,
                 now.utc_ms,
                 g.lease,
                 {},
                 false};
  changed_attempts_[a.which] = row_of(a);
  const auto which = a.which;
  leases_.open(std::move(a), now.steady);
  return {as, start_verdict::run, which, spec_of(j, g, in_group, which)};
}

std::string work_book::spec_of(const live_job& j, const live_group& g, std::uint32_t in_group,
                               const attempt_key& which) const {
  const auto& from = j.spec.groups[g.number];
  attempt_spec spec;
  spec.which = which;
  spec.argv = from.argv;
  spec.env = from.env;
  spec.dir = from.dir;
  spec.time_limit_ms = in_ms(from.time_limit);
  spec.grace_ms = in_ms(from.grace);
  spec.lease_ms = in_ms(from.lease);
  spec.output_limit_bytes = from.output_limit_bytes;
  spec.cpu = from.cpu_milli / 1000.0;
  spec.memory_bytes = from.memory_bytes;
  spec.gpu_milli = from.gpu_milli;
  spec.slots = from.slots;
  const auto number = std::to_string(in_group);
  const auto* entry = !from.entries.empty() ? &from.entries[in_group]
                      : from.count > 1      ? &number
                                            : nullptr;
  add_task_names(spec, entry);
  return to_json(spec);
}

void work_book::book(const attempt_end& end, bool lost, service_time now) {
  const job_task task{end.which.job, end.which.task};
  const auto* const a = leases_.find(task);
  if (a == nullptr || a->which != end.which)
    return; // out of date, or booked already
  auto row = row_of(*a);
  row.open = false;
  row.lost = lost;
  row.end = end;
  changed_attempts_[end.which] = std::move(row);
  leases_.close(task);
  auto& j = *get(task.job);
  auto& g = j.group_of(task.task);
  const auto in_group = task.task - g.first;
  auto& t = g.tasks[in_group];
  const auto verdict =
    judge(end, {t.retries, t.losses, j.spec.groups[g.number].retries, j.row.cancel_ms > 0});
  t.retries = verdict.retries;
  t.losses = verdict.losses;
  --g.counts.running;
  --j.row.counts.running;
  if (is_over(verdict.state))
    return end_task(j, g, in_group, verdict.state, verdict.reason, now);
  leave(std::exchange(t.placed_by, 0));
  t.state = task_state::queued;
  write(j, g, in_group, verdict.reason);
  note(j, g);
  place_later(j, g, in_group);
}

std::optional<std::pair<live_job*, std::uint32_t>> work_book::latest_of(task_id as) {
  const auto handed = handed_.find(own_number(as.job));
  if (handed == handed_.end())
    return std::nullopt;
  auto* const j = get(handed->second.job);
  if (j == nullptr || is_over(j->row.state))
    return std::nullopt;
  const auto& g = j->groups[handed->second.group];
  const auto& tasks = handed->second.tasks;
  if (as.index >= (tasks.empty() ? g.count : tasks.size()))
    return std::nullopt;
  const auto in_group = tasks.empty() ? as.index : tasks[as.index];
  const bool touched = !g.tasks.empty() && g.tasks[in_group].touched;
  if ((touched ? g.tasks[in_group].placed_by : g.rest_placed_by) != handed->first)
    return std::nullopt;
  return std::pair{j, g.first + in_group};
}

void work_book::scheduled_over(task_id as, task_fate fate, service_time now) {
  const auto latest = latest_of(as);
  if (!latest)
    return;
  auto& j = *latest->first;
  auto& g = j.group_of(latest->second);
  const auto in_group = latest->second - g.first;
  auto& t = touch(j, g, in_group);
  if (t.state != task_state::queued)
    return;
  leave(std::exchange(t.placed_by, 0));
  const auto pause = std::min(longest_pause, first_pause * (1 << std::min<int>(t.pauses, 6)));
  ++t.pauses;
  paused_.emplace(now.steady + pause, job_task{j.row.id, latest->second});
  const bool fits_nowhere = fate == task_fate::abandoned;
  write(j, g, in_group, fits_nowhere ? std::string{no_machine} : "");
  if (fits_nowhere && j.row.reason.empty()) {
    j.row.reason = std::string{no_machine} + " task " + std::to_string(latest->second);
    note(j);
  }
}

void work_book::end_pauses(service_time now) {
  while (!paused_.empty() && paused_.begin()->first <= now.steady) {
    const auto task = paused_.begin()->second;
    paused_.erase(paused_.begin());
    auto* const j = get(task.job);
    if (j == nullptr || is_over(j->row.state))
      continue;
    auto& g = j->group_of(task.task);
    const auto& t = g.tasks[task.task - g.first];
    if (t.state == task_state::queued && t.placed_by == 0)
      place_later(*j, g, task.task - g.first);
  }
}

std::optional<instant> work_book::next_due() const {
  auto next = leases_.next_expiry();
  if (!paused_.empty())
    next = next ? std::min(*next, paused_.begin()->first) : paused_.begin()->first;
  return next;
}

bool work_book::give_up(std::uint64_t id, std::uint32_t task, service_time now) {
  const auto* const a = leases_.find({id, task});
  if (a == nullptr)
    return false;
  book(unknown_end(a->which, end_reason::lease, "given up by a user", now), true, now);
  place_all();
  return true;
}

void work_book::look_at_time(service_time now) {
  end_pauses(now);
  for (const auto& key : leases_.expired(now.steady)) {
    const auto* const a = leases_.find({key.job, key.task});
    if (a != nullptr && a->which == key)
      book(unknown_end(key, end_reason::lease, "nothing was heard of it for a whole lease", now),
           true, now);
  }
  place_all();
}

} // namespace troupe
