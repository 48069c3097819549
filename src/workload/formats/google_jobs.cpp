#include "workload/formats/google_jobs.hpp"

#include <algorithm>

namespace troupe::google2011 {

job_assembly::task* job_assembly::find(open_job& in, std::uint32_t index) {
  auto& all = in.tasks;
  if (index < all.size() && all[index].index == index)
    return &all[index];
  const auto it = std::ranges::lower_bound(all, index, {}, &task::index);
  return it != all.end() && it->index == index ? &*it : nullptr;
}

void job_assembly::submit(const task_row& row) {
  auto place = places_.find(row.job);
  if (place == places_.end()) {
    if (!window_.holds(row.at, tally_) || !window_.keeps(row.job, tally_))
      return;
    place = places_.emplace(row.job, taken_ + open_.size()).first;
    open_.push_back({row.job, row.at, row.priority, row.spread, {}, {}});
  }
  auto& job = open_[place->second - taken_];
  if (auto* known = find(job, row.index)) {
    known->is = state::waiting;
    return;
  }
  task added{row.index};
  added.submitted = row.at;
  added.cpu = row.cpu;
  added.memory = row.memory;
  job.spread = job.spread || row.spread;
  const auto at = std::ranges::upper_bound(job.tasks, row.index, {}, &task::index);
  job.tasks.insert(at, added);
}

void job_assembly::finish(task& t, duration at) {
  if (t.is == state::running) {
    t.length = at - t.scheduled;
    t.ran = true;
  }
  t.is = state::over;
}

void job_assembly::add(const task_row& row) {
  now_ = row.at;
  if (row.what == event::submit) {
    submit(row);
    return;
  }
  const auto place = places_.find(row.job);
  auto* of = place == places_.end() ? nullptr : find(open_[place->second - taken_], row.index);
  if (of == nullptr)
    return;
  switch (row.what) {
  case event::schedule:
    of->is = state::running;
    of->scheduled = row.at;
    break;
  case event::evict:
    of->is = state::waiting;
    break;
  case event::fail:
  case event::finish:
  case event::kill:
  case event::lost:
    finish(*of, row.at);
    break;
  case event::submit:
  case event::update_pending:
  case event::update_running:
    break;
  }
}

void job_assembly::constrain(std::uint64_t job, std::uint32_t index, constraint what) {
  const auto place = places_.find(job);
  if (place == places_.end())
    return;
  auto& of = open_[place->second - taken_];
  auto* t = find(of, index);
  if (t == nullptr)
    return;
  if (t->constraints == 0) {
    of.constraints.emplace_back();
    t->constraints = static_cast<std::uint32_t>(of.constraints.size());
  }
  auto& all = of.constraints[t->constraints - 1];
  if (std::ranges::find(all, what) == all.end())
    all.push_back(std::move(what));
}

bool job_assembly::ripe() const {
  return !open_.empty() && (ended_ || open_.front().submitted + settings_.horizon <= now_);
}

/// Returns whether no job that is still to be put together goes before the earliest one that is.
bool job_assembly::comes_next() const {
  if (parts_.empty())
    return false;
  const auto at = parts_.front().submitted;
  return open_.empty() ? ended_ || at <= now_ : at <= open_.front().submitted;
}

bool job_assembly::take(trace_job& job) {
  while (!comes_next()) {
    if (!ripe())
      return false;
    close_earliest();
  }
  std::pop_heap(parts_.begin(), parts_.end());
  job = std::move(parts_.back().job);
  parts_.pop_back();
  return true;
}

/// Returns how long a task runs, or nothing if it is left out.
std::optional<duration> job_assembly::length_of(const task& t, duration until) {
  if (t.is == state::running) {
    if (settings_.unfinished != unfinished_kind::drop)
      return std::max(until - t.scheduled, duration{0});
    tally_.skip("task without an end in the trace");
    return std::nullopt;
  }
  if (t.ran)
    return t.length;
  tally_.skip("task that never ran to an end");
  return std::nullopt;
}

void job_assembly::close_earliest() {
  const auto from = std::move(open_.front());
  open_.pop_front();
  ++taken_;
  places_.erase(from.id);
  std::vector<const task*> tasks;
  for (const auto& t : from.tasks)
    tasks.push_back(&t);
  std::ranges::stable_sort(tasks, {}, &task::submitted);
  auto begin = from.submitted;
  for (std::size_t first = 0; first < tasks.size();) {
    auto end = first;
    while (end < tasks.size() && tasks[end]->submitted <= begin + same_time)
      ++end;
    // Within a part the tasks stand by their index.
    std::sort(tasks.begin() + static_cast<std::ptrdiff_t>(first),
              tasks.begin() + static_cast<std::ptrdiff_t>(end),
              [](const task* a, const task* b) { return a->index < b->index; });
    hand_on(from, std::span{tasks}.subspan(first, end - first), begin);
    first = end;
    if (first < tasks.size())
      begin = tasks[first]->submitted;
  }
}

void job_assembly::add_to(trace_job& job, const task& t, duration length,
                          const std::vector<constraint>& constraints) {
  resources demand;
  if (job.asks) {
    demand[resource::cpu] = std::max(t.cpu, 1);
    demand[resource::memory] = std::max(t.memory, 0);
  }
  if (job.groups.empty() || job.groups.back().demand != demand ||
      job.groups.back().constraints != constraints) {
    auto& added = job.groups.emplace_back();
    added.demand = demand;
    added.constraints = constraints;
  }
  auto& group = job.groups.back();
  ++group.count;
  group.durations.push_back(length);
}

void job_assembly::hand_on(const open_job& from, std::span<const task*> tasks, duration submitted) {
  const bool late = submitted > from.submitted;
  if (late && settings_.to > duration{0} && submitted >= settings_.to) {
    tally_.skip("task submitted after the window", tasks.size());
    return;
  }
  const std::vector<constraint> none;
  const auto until = std::min<duration>(now_, from.submitted + settings_.horizon);
  const auto asks = [](const task& t) { return t.cpu >= 0 || t.memory >= 0; };
  part made;
  auto& job = made.job;
  job.asks = std::ranges::any_of(from.tasks, asks);
  double seconds = 0;
  for (const auto* t : tasks) {
    const auto length = length_of(*t, until);
    if (!length)
      continue;
    if (job.asks && !asks(*t)) {
      tally_.skip("task without a request");
      continue;
    }
    const auto shortened = window_.shortened(*length);
    add_to(job, *t, shortened, t->constraints == 0 ? none : from.constraints[t->constraints - 1]);
    seconds += to_seconds(shortened);
  }
  if (job.groups.empty()) {
    tally_.skip(late ? "later part of a job of which no task is left"
                     : "job of which no task is left");
    return;
  }
  const auto at = window_.shifted(submitted);
  if (!at) {
    tally_.skip("time out of range");
    return;
  }
  job.submitted = *at;
  job.priority = from.priority;
  job.spread = from.spread;
  job.estimate = from_seconds(seconds / static_cast<double>(job.task_count()));
  tally_.use();
  if (late) {
    ++late_parts_;
    late_tasks_ += job.task_count();
  }
  made.submitted = submitted;
  made.order = order_++;
  parts_.push_back(std::move(made));
  std::push_heap(parts_.begin(), parts_.end());
}

} // namespace troupe::google2011
