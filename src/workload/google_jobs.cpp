#include "workload/google_jobs.hpp"

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

bool job_assembly::take(trace_job& job) {
  const auto from = std::move(open_.front());
  open_.pop_front();
  ++taken_;
  places_.erase(from.id);
  job.groups.clear();
  const std::vector<constraint> none;
  const auto until = std::min<duration>(now_, from.submitted + settings_.horizon);
  double seconds = 0;
  const auto asks = [](const task& t) { return t.cpu >= 0 || t.memory >= 0; };
  job.asks = std::ranges::any_of(from.tasks, asks);
  for (const auto& t : from.tasks) {
    auto length = t.length;
    if (t.is == state::running) {
      if (settings_.unfinished == "drop") {
        tally_.skip("task without an end in the trace");
        continue;
      }
      length = std::max(until - t.scheduled, duration{0});
    } else if (!t.ran) {
      tally_.skip("task that never ran to an end");
      continue;
    }
    if (job.asks && !asks(t)) {
      tally_.skip("task without a request");
      continue;
    }
    resources demand;
    if (job.asks) {
      demand[resource::cpu] = std::max(t.cpu, 1);
      demand[resource::memory] = std::max(t.memory, 0);
    }
    const auto& constraints = t.constraints == 0 ? none : from.constraints[t.constraints - 1];
    if (job.groups.empty() || job.groups.back().demand != demand ||
        job.groups.back().constraints != constraints) {
      auto& added = job.groups.emplace_back();
      added.demand = demand;
      added.constraints = constraints;
    }
    auto& group = job.groups.back();
    ++group.count;
    group.durations.push_back(window_.shortened(length));
    seconds += to_seconds(group.durations.back());
  }
  if (job.groups.empty()) {
    tally_.skip("job of which no task is left");
    return false;
  }
  const auto at = window_.shifted(from.submitted);
  if (!at) {
    tally_.skip("time out of range");
    return false;
  }
  job.submitted = *at;
  job.priority = from.priority;
  job.spread = from.spread;
  job.estimate = from_seconds(seconds / static_cast<double>(job.task_count()));
  tally_.use();
  return true;
}

} // namespace troupe::google2011
