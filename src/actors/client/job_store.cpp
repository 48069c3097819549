#include "actors/client/job_store.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

job_store::job_store(std::uint32_t number, scheduler_id first,
                     std::vector<incarnation_id> incarnations, duration patience)
  : number_(number), first_(first), patience_(patience), to_(incarnations.size()) {
  for (std::size_t s = 0; s < incarnations.size(); ++s)
    begin(to_[s], incarnations[s]);
}

void job_store::begin(receiver& to, incarnation_id incarnation) {
  to = {};
  to.incarnation = incarnation;
  to.deliveries.reset(incarnation);
  to.ends.reset(incarnation);
}

void job_store::add(std::size_t scheduler, job accepted) {
  tasks_ += accepted.task_count();
  next_id_ = accepted.id + 1;
  to_.at(scheduler).given += accepted.task_count();
  to_.at(scheduler).next.push_back({accepted, {}});
  jobs_.emplace(accepted.id, kept{std::move(accepted), scheduler, {}, task_fate::finished, false});
}

void job_store::withdraw(job_id id) {
  const auto it = jobs_.find(id);
  if (it == jobs_.end() || std::exchange(it->second.withdrawn, true))
    return;
  to_[it->second.scheduler].withdrawn.push_back(id);
}

std::vector<std::pair<scheduler_id, job_delivery>> job_store::deliveries(instant now) {
  std::vector<std::pair<scheduler_id, job_delivery>> due;
  for (std::size_t s = 0; s < to_.size(); ++s) {
    auto& to = to_[s];
    if (!to.next.empty() || !to.withdrawn.empty())
      to.deliveries.put({number_, to.incarnation, to.deliveries.last() + 1, false,
                         std::exchange(to.next, {}), std::exchange(to.withdrawn, {})});
    while (auto run = to.deliveries.next(now, patience_))
      for (auto& d : run->items)
        due.emplace_back(first_ + static_cast<scheduler_id>(s), std::move(d));
  }
  return due;
}

std::optional<store_seen> job_store::hear(const store_report& news, instant now) {
  if (news.scheduler < first_ || news.scheduler - first_ >= to_.size())
    return std::nullopt;
  auto& from = to_[news.scheduler - first_];
  if (news.incarnation != from.incarnation)
    return std::nullopt;
  from.deliveries.acknowledge(news.incarnation, news.deliveries_seen, now);
  std::vector<scheduler_news> told;
  for (std::size_t i = 0; i < news.over.size(); ++i)
    told.push_back(
      {news.over[i],
       i < news.fates.size() ? std::min(news.fates[i], task_fate::abandoned) : task_fate::finished,
       i < news.widths.size() ? news.widths[i] : 0});
  from.ends.receive(news.incarnation, news.first, told, [&](const scheduler_news& e) {
    if (e.width > 0)
      note_width(from, e.task.job, e.width);
    else
      note_end(from, e);
  });
  if (!from.ends.owes())
    return std::nullopt;
  from.ends.answered();
  return store_seen{number_, news.incarnation, from.ends.seen()};
}

void job_store::note_width(receiver& from, job_id id, std::uint32_t width) {
  const auto it = jobs_.find(id);
  if (it == jobs_.end() || it->second.what.mold.requested == 0)
    return;
  auto& job = it->second.what;
  job.mold.settled = true;
  if (width <= job.task_count() || width > job.mold.most)
    return;
  const auto added = width - job.task_count();
  mold(job, width);
  tasks_ += added;
  from.given += added;
}

void job_store::note_end(receiver& from, const scheduler_news& ended) {
  const auto& task = ended.task;
  const auto fate = ended.fate;
  const auto it = jobs_.find(task.job);
  if (it == jobs_.end() || !it->second.over.insert(task.index).second)
    return;
  ++over_;
  ++from.heard;
  ++tasks_by_fate_[static_cast<std::size_t>(fate)];
  if (over_call_)
    over_call_(task, fate);
  auto& job = it->second;
  job.fate = std::max(job.fate, fate);
  if (job.over.size() == job.what.task_count()) {
    ++jobs_by_fate_[static_cast<std::size_t>(job.fate)];
    jobs_.erase(it);
  }
}

void job_store::scheduler_incarnations(scheduler_id scheduler, incarnation_id incarnation) {
  if (scheduler < first_ || scheduler - first_ >= to_.size() ||
      incarnation <= to_[scheduler - first_].incarnation)
    return;
  auto& to = to_[scheduler - first_];
  begin(to, incarnation);
  job_delivery all{number_, incarnation, 1, true, {}, {}};
  for (const auto& [id, entry] : jobs_) {
    if (entry.scheduler != scheduler - first_)
      continue;
    all.jobs.push_back({entry.what, {entry.over.begin(), entry.over.end()}, entry.fate});
    if (entry.withdrawn)
      all.withdrawn.push_back(id);
  }
  to.given = unfinished_tasks(all.jobs);
  to.deliveries.put(std::move(all));
}

std::vector<handed_tasks> job_store::handed() const {
  std::vector<handed_tasks> all;
  for (std::size_t s = 0; s < to_.size(); ++s) {
    const auto& to = to_[s];
    all.push_back({first_ + static_cast<scheduler_id>(s), to.incarnation, to.given,
                   unfinished_tasks(to.next), to.heard});
    for (std::size_t i = 0; i < to.deliveries.size(); ++i)
      all.back().unconfirmed += unfinished_tasks(to.deliveries[i].jobs);
  }
  return all;
}

std::vector<kept_ages> job_store::ages(instant now, instant warmup) const {
  std::vector<kept_ages> all(to_.size());
  for (const auto& [_, entry] : jobs_) {
    if (entry.what.submitted < warmup)
      continue;
    const auto age = to_seconds(std::max<duration>(now - entry.what.submitted, duration::zero()));
    auto& of = all[entry.scheduler];
    of.tasks.add(age, entry.what.task_count() - entry.over.size());
    of.jobs.add(age);
  }
  return all;
}

bool job_store::is_over(const task_id& task) const {
  const auto it = jobs_.find(task.job);
  return it == jobs_.end() ? task.job < next_id_ : it->second.over.contains(task.index);
}

} // namespace troupe
