#include "model/jobs/job_book.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

waiting_task describe(const job& j, const task_group& group, std::uint32_t in_group,
                      std::uint32_t index) {
  return {
    {j.id, index}, group.demand,        group.duration_of(in_group), j.submitted, 0, index == 0, &j,
    &group,        j.gang && index == 0};
}

} // namespace

void job_book::submit(job accepted) {
  const auto tasks = accepted.task_count();
  if (tasks == 0)
    throw std::invalid_argument("job " + std::to_string(accepted.id) + " has no tasks");
  const auto id = accepted.id;
  const bool staged = has_stages(accepted);
  const auto [it, added] = open_.try_emplace(id, open_job{std::move(accepted), tasks, instant{0}});
  if (!added)
    throw std::invalid_argument("job " + std::to_string(id) + " was submitted twice");
  enlist(it->second);
  chosen_ = nullptr;
  if (staged) {
    begin_stages(it->second);
    return;
  }
  if (is_limited(it->second.what)) {
    begin_array(it->second);
    return;
  }
  lane_of(it->second.what).fresh.push_back({&it->second, 0, 0, 0, tasks, 0});
  waiting_ += tasks;
}

void job_book::resume(job accepted, const std::vector<std::uint32_t>& waiting,
                      const std::vector<std::uint32_t>& over, task_fate fate) {
  if (waiting.size() == accepted.task_count())
    return submit(std::move(accepted));
  const auto id = accepted.id;
  const bool staged = has_stages(accepted);
  const auto unfinished = static_cast<std::uint32_t>(accepted.task_count() - over.size());
  const auto [it, added] =
    open_.try_emplace(id, open_job{std::move(accepted), unfinished, instant{0}});
  if (!added)
    throw std::invalid_argument("job " + std::to_string(id) + " was submitted twice");
  enlist(it->second);
  it->second.placed = true;
  it->second.fate = fate;
  if (staged)
    resume_stages(it->second, over);
  if (is_limited(it->second.what) && !staged)
    return resume_array(it->second, waiting);
  for (auto index : waiting)
    if (const auto task = *find({id, index}); !hold_back(task))
      put_at_back(task);
}

job_book::lane& job_book::lane_of(const job& j) {
  const lane_key key{j.priority, tenants_ == nullptr ? 0 : j.tenant};
  if (latest_ == nullptr || latest_key_ != key) {
    auto at = lanes_.find(key);
    if (at == lanes_.end()) {
      drop_empty_lanes();
      at = lanes_.try_emplace(key).first;
    }
    latest_ = &at->second;
    latest_key_ = key;
  }
  return *latest_;
}

/// Clients may invent any number of priorities.
void job_book::drop_empty_lanes() {
  latest_ = nullptr;
  std::erase_if(lanes_, [this](const auto& entry) {
    const auto* of = &entry.second;
    return of->empty() && of != chosen_ && of != taken_from_;
  });
}

const waiting_task& job_book::lane::head() {
  if (!again.empty())
    return again.back();
  auto& at = fresh.front();
  if (at.retries > 0)
    return later.front();
  if (!next_ready) {
    while (at.in_group == at.from->what.groups[at.group].count) {
      ++at.group;
      at.in_group = 0;
    }
    next = describe(at.from->what, at.from->what.groups[at.group], at.in_group, at.index);
    if (at.from->dag)
      next.submitted = (*at.from->dag)[at.group].released;
    next_ready = true;
  }
  return next;
}

waiting_task job_book::lane::take() {
  const auto task = head();
  if (!again.empty()) {
    again.pop_back();
    return task;
  }
  auto& at = fresh.front();
  if (at.retries > 0) {
    later.pop_front();
    if (--at.retries == 0)
      fresh.pop_front();
    return task;
  }
  next_ready = false;
  if (task.whole) {
    fresh.pop_front();
    return task;
  }
  ++at.in_group;
  ++at.index;
  if (at.index == at.end)
    fresh.pop_front();
  return task;
}

bool job_book::ages_past(const lane_map::iterator& a, const lane_map::iterator& b) const {
  const auto earlier = to_seconds(b->second.head().submitted - a->second.head().submitted);
  return earlier > aging_ * (static_cast<double>(b->first.priority) - a->first.priority);
}

bool job_book::waits_for_tenant(const waiting_task& head) const {
  return tenants_ != nullptr && !tenants_->may_use(head.tenant(), head.demand) &&
         tenants_->could_use(head.tenant(), resource_sum{} + head.demand);
}

job_book::lane* job_book::choose() {
  if (chosen_ != nullptr)
    return chosen_;
  const auto none = lanes_.end();
  if (lanes_.size() == 1 && tenants_ == nullptr)
    return chosen_ = lanes_.begin()->second.empty() ? nullptr : &lanes_.begin()->second;
  auto best = none;     // of all priorities so far
  auto of_level = none; // of the current priority
  const auto close_level = [&] {
    if (of_level != none && (best == none || ages_past(of_level, best)))
      best = of_level;
    of_level = none;
  };
  for (auto it = lanes_.begin(); it != none; ++it) {
    if (of_level != none && of_level->first.priority != it->first.priority) {
      close_level();
      if (aging_ == 0)
        break;
    }
    if (it->second.empty())
      continue;
    if (waits_for_tenant(it->second.head()))
      continue;
    if (of_level == none || tenants_->goes_before(it->first.tenant, of_level->first.tenant))
      of_level = it;
  }
  close_level();
  return chosen_ = best == none ? nullptr : &best->second;
}

bool job_book::continues(job_id job) {
  chosen_ = nullptr;
  if (taken_from_ == nullptr || taken_from_->empty())
    return false;
  const auto& next = taken_from_->head();
  if (next.task.job != job || waits_for_tenant(next))
    return false;
  chosen_ = taken_from_;
  return true;
}

waiting_task job_book::take_head() {
  auto* from = choose();
  chosen_ = nullptr;
  taken_from_ = from;
  auto task = from->take();
  waiting_ -= task.count();
  return task;
}

void job_book::put_back(const waiting_task& task) {
  if (hold_back(task))
    return;
  lane_of(*task.of).again.push_back(task);
  waiting_ += task.count();
  chosen_ = nullptr;
}

void job_book::lane::put_at_back(const waiting_task& task) {
  if (fresh.empty() || fresh.back().retries == 0)
    fresh.push_back({});
  ++fresh.back().retries;
  later.push_back(task);
}

void job_book::put_at_back(const waiting_task& task) {
  lane_of(*task.of).put_at_back(task);
  waiting_ += task.count();
  chosen_ = nullptr;
}

std::vector<waiting_task> job_book::members(const waiting_task& whole) const {
  std::vector<waiting_task> all;
  all.reserve(whole.of->task_count());
  for (const auto& group : whole.of->groups)
    for (std::uint32_t i = 0; i < group.count; ++i) {
      all.push_back(describe(*whole.of, group, i, static_cast<std::uint32_t>(all.size())));
      all.back().attempts = whole.attempts;
      all.back().whole = false;
    }
  all.front().opens_job = whole.opens_job;
  return all;
}

void job_book::lane::drop(job_id job, std::vector<waiting_task>& into) {
  std::erase_if(again, [&](const waiting_task& t) {
    if (t.task.job == job)
      into.push_back(t);
    return t.task.job == job;
  });
  // All other waiting tasks pass through the queue once.
  const auto rest = std::exchange(again, {});
  for (auto n = fresh.size(); n > 0; --n) {
    auto at = fresh.front();
    if (at.retries > 0) {
      for (auto left = at.retries; left > 0; --left) {
        const auto task = later.front();
        later.pop_front();
        if (task.task.job == job) {
          into.push_back(task);
          --at.retries;
        } else {
          later.push_back(task);
        }
      }
      fresh.pop_front();
      if (at.retries > 0)
        fresh.push_back(at);
    } else if (at.from->what.id == job) {
      const auto before = fresh.size();
      while (fresh.size() == before)
        into.push_back(take());
    } else {
      fresh.pop_front();
      fresh.push_back(at);
      next_ready = false;
    }
  }
  again = rest;
}

std::vector<waiting_task> job_book::drop(job_id job) {
  std::vector<waiting_task> dropped;
  if (const auto* of = find_job(job))
    lane_of(*of).drop(job, dropped);
  for (const auto& t : dropped)
    waiting_ -= t.count();
  const auto of = open_.find(job);
  if (of != open_.end() && of->second.dag)
    drop_blocked(of->second, dropped);
  if (of != open_.end() && of->second.array)
    drop_held(of->second, dropped);
  chosen_ = nullptr;
  return dropped;
}

std::optional<waiting_task> job_book::find(const task_id& task) const {
  const auto it = open_.find(task.job);
  if (it == open_.end())
    return std::nullopt;
  std::uint32_t first = 0;
  for (std::size_t g = 0; g < it->second.what.groups.size(); ++g) {
    const auto& group = it->second.what.groups[g];
    if (task.index < first + group.count) {
      // The task has been decided on before, and alone it is no gang.
      auto found = describe(it->second.what, group, task.index - first, task.index);
      found.opens_job = found.whole = false;
      if (it->second.dag)
        found.submitted = (*it->second.dag)[g].released;
      return found;
    }
    first += group.count;
  }
  return std::nullopt;
}

std::optional<job_end> job_book::close(const task_id& task, instant at, task_fate how) {
  const auto it = open_.find(task.job);
  if (it == open_.end())
    return std::nullopt;
  auto& job = it->second;
  job.last_end = std::max(job.last_end, at);
  job.fate = std::max(job.fate, how);
  if (--job.unfinished > 0) {
    if (job.dag)
      close_stage(job, task.index, at);
    if (job.array)
      release_next(job, at);
    return std::nullopt;
  }
  const job_end end{job.last_end - job.what.submitted, job.fate};
  delist(job);
  open_.erase(it);
  return end;
}

void job_book::enlist(open_job& of) {
  of.place = open_ages_.size();
  open_ages_.push_back({of.what.submitted, of.what.group, &of});
}

void job_book::delist(const open_job& of) {
  const auto place = of.place;
  open_ages_[place] = open_ages_.back();
  open_ages_[place].of->place = place;
  open_ages_.pop_back();
}

void job_book::visit_waiting(const waiting_visitor& tell) const {
  const auto tell_one = [&](const waiting_task& t) { tell(*t.of, t.submitted, t.count()); };
  for (const auto& [_, queue] : lanes_) {
    std::ranges::for_each(queue.again, tell_one);
    std::ranges::for_each(queue.later, tell_one);
    for (const auto& at : queue.fresh)
      if (at.retries == 0)
        tell(at.from->what,
             at.from->dag ? (*at.from->dag)[at.group].released : at.from->what.submitted,
             at.end - at.index);
  }
}

void job_book::set_width(job_id id, std::uint32_t width) {
  auto& of = open_.at(id);
  of.unfinished = of.unfinished + width - of.what.task_count();
  mold(of.what, width);
}

void job_book::settle_width(job_id id) {
  open_.at(id).what.mold.settled = true;
}

void job_book::note_placed(job_id job) {
  if (const auto it = open_.find(job); it != open_.end())
    it->second.placed = true;
}

std::uint32_t job_book::note_empty_attempt(job_id job) {
  const auto it = open_.find(job);
  if (it == open_.end() || it->second.placed)
    return 0;
  return ++it->second.empty_attempts;
}

void job_book::give_up(job_id job) {
  if (const auto it = open_.find(job); it != open_.end())
    it->second.given_up = true;
}

bool job_book::given_up(job_id job) const {
  const auto it = open_.find(job);
  return it != open_.end() && it->second.given_up;
}

} // namespace troupe
