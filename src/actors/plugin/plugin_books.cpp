#include "actors/plugin/plugin_books.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace troupe {

std::vector<job> plugin_books::add(std::vector<job> taken) {
  std::vector<job> all;
  for (auto& j : taken) {
    auto& book = counters_.of(j.group);
    book.counts.submitted += j.task_count();
    book.counts.queued += j.task_count();
    ++book.sample.jobs_submitted;
    std::ranges::move(jobs.add(std::move(j)), std::back_inserter(all));
  }
  return all;
}

void plugin_books::count_left(const kept_job& left, std::uint64_t running) {
  auto& counts = counters_.of(left.what.group).counts;
  const auto open = left.what.task_count() - left.over.size();
  counts.submitted += open;
  counts.running += running;
  counts.queued += open - running;
}

std::vector<job> plugin_books::close(const task_id& task, instant at, task_fate fate) {
  auto& [counts, sample] = of(task);
  switch (fate) {
  case task_fate::finished:
    ++counts.finished;
    break;
  case task_fate::failed:
    ++counts.failed;
    break;
  case task_fate::lost:
    ++counts.lost;
    break;
  case task_fate::abandoned:
    ++counts.abandoned;
    break;
  }
  const auto end = jobs.close(task, at, fate);
  auto released = jobs.release(task.job);
  if (!end)
    return released;
  const bool finished = end->fate == task_fate::finished;
  ++(finished ? sample.jobs_finished : sample.jobs_failed);
  if (end->submitted >= warmup_)
    (finished ? sample.job_response : sample.broken_jobs)
      .add(to_seconds(std::max<duration>(end->last_end - end->submitted, duration::zero())));
  return released;
}

std::vector<task_id> plugin_books::abandoned(std::uint32_t group, std::uint64_t given_up) const {
  auto tasks = jobs.queued_of(group);
  return tasks.size() > given_up ? std::vector<task_id>{} : tasks;
}

void plugin_books::add_age(const job& j, instant now) {
  if (j.submitted >= warmup_)
    counters_.of(j.group).sample.open_jobs.add(std::max(to_seconds(now - j.submitted), 0.0));
}

std::vector<group_sample> plugin_books::take_samples(std::vector<group_sample> of_plugin,
                                                     std::span<const kept_job> left, instant now) {
  jobs.visit([&](const job& j) { add_age(j, now); });
  for (const auto& j : left)
    add_age(j.what, now);
  for (auto& g : of_plugin)
    g.sample.tasks = {};
  for (auto& own : counters_.take(now)) {
    auto it = std::ranges::find(of_plugin, own.group, &group_sample::group);
    if (it == of_plugin.end())
      it = of_plugin.insert(of_plugin.end(), group_sample{own.group, {}});
    auto& both = it->sample;
    both.tasks = own.sample.tasks;
    both.job_response = std::move(own.sample.job_response);
    both.broken_jobs = std::move(own.sample.broken_jobs);
    both.open_jobs = std::move(own.sample.open_jobs);
    both.retransmits += own.sample.retransmits;
    both.duplicate_grants += own.sample.duplicate_grants;
  }
  return of_plugin;
}

} // namespace troupe
