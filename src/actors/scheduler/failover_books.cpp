#include "actors/scheduler/failover_books.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>

namespace troupe {

failover_books::failover_books(scheduler_id scheduler, incarnation_id incarnation,
                               std::size_t owners, std::vector<std::uint32_t> stores,
                               std::uint32_t retries)
  : scheduler_(scheduler),
    incarnation_(incarnation),
    retries_(retries),
    taking_over_(incarnation > 1),
    owners_(owners),
    missing_(stores.begin(), stores.end()) {
  for (auto s : stores) {
    stores_[s].deliveries.reset(incarnation);
    stores_[s].untold.reset(incarnation);
  }
}

bool failover_books::may_retry(const task_id& task) {
  return retries_ == 0 || ++losses_[task] <= retries_;
}

// -- job stores ---------------------------------------------------------------------------------

void failover_books::over(const task_id& task, task_fate fate) {
  losses_.erase(task);
  const auto store = stores_.find(store_of(task.job));
  if (store == stores_.end())
    return;
  ++store->second.over;
  store->second.untold.put({++number_, task, fate, 0, 0});
  if (planted(planted_fault::doubled_over)) {
    ++store->second.over;
    store->second.untold.put({++number_, task, fate, 0, 0});
  }
}

void failover_books::molded(job_id id, std::uint32_t width, std::uint32_t added) {
  const auto store = stores_.find(store_of(id));
  if (store == stores_.end())
    return;
  store->second.any_molded = true;
  store->second.taken += added;
  store->second.untold.put({++number_, {id, 0}, task_fate::finished, width, added});
}

bool failover_books::has_untold_width(job_id id) const {
  const auto from = stores_.find(store_of(id));
  if (from == stores_.end() || !from->second.any_molded)
    return false;
  const auto& untold = from->second.untold;
  for (auto i = untold.size(); i > 0; --i)
    if (untold[i - 1].width > 0 && untold[i - 1].task.job == id)
      return true;
  return false;
}

bool failover_books::has_untold_width() const {
  return std::ranges::any_of(stores_, [](const auto& of) {
    const auto& untold = of.second.untold;
    for (std::size_t i = 0; of.second.any_molded && i < untold.size(); ++i)
      if (untold[i].width > 0)
        return true;
    return false;
  });
}

void failover_books::visit_untold(
  const std::function<void(const task_id&, task_fate)>& tell) const {
  for (const auto& [_, store] : stores_)
    for (std::size_t i = 0; i < store.untold.size(); ++i)
      if (store.untold[i].width == 0)
        tell(store.untold[i].task, store.untold[i].fate);
}

std::vector<taken_tasks> failover_books::tallies() const {
  std::vector<taken_tasks> all;
  for (const auto& [number, store] : stores_) {
    all.push_back({number, store.taken, store.over, store.untold.size()});
    for (std::size_t i = 0; store.any_molded && i < store.untold.size(); ++i)
      if (store.untold[i].width > 0) {
        --all.back().untold;
        all.back().added += store.untold[i].added;
      }
  }
  for (const auto& j : left)
    for (auto& of : all)
      if (of.store == store_of(j.what.id))
        of.left += j.what.task_count() - j.over.size();
  return all;
}

std::vector<std::pair<std::uint32_t, store_report>> failover_books::news(instant now,
                                                                         duration patience) {
  std::vector<std::pair<std::uint32_t, store_report>> all;
  for (auto& [number, store] : stores_) {
    while (store.deliveries.owes() || store.untold.due(now, patience)) {
      store_report report{
        scheduler_, incarnation_, store.deliveries.seen(), store.untold.last() + 1, {}, {}, {}};
      if (const auto run = store.untold.next(now, patience)) {
        report.first = run->first;
        for (const auto& e : run->items) {
          report.over.push_back(e.task);
          report.fates.push_back(e.fate);
          if (store.any_molded)
            report.widths.push_back(e.width);
        }
      }
      store.deliveries.answered();
      all.emplace_back(number, std::move(report));
    }
  }
  return all;
}

std::vector<job_delivery> failover_books::take(const job_delivery& what) {
  std::vector<job_delivery> next;
  const auto from = stores_.find(what.store);
  if (from == stores_.end())
    return next;
  auto& store = from->second;
  store.deliveries.receive(what.incarnation, what.number, {what}, [&](const job_delivery& d) {
    store.taken += unfinished_tasks(d.jobs);
    next.push_back(d);
  });
  return next;
}

std::uint64_t failover_books::confirmed() const {
  auto all = number_;
  for (const auto& [_, store] : stores_)
    if (!store.untold.empty())
      all = std::min(all, store.untold[0].number - 1);
  return all;
}

std::vector<owner_id> failover_books::settle() {
  std::vector<owner_id> changed;
  const auto up_to = confirmed();
  for (owner_id o = 0; o < owners_.size(); ++o) {
    auto& owner = owners_[o];
    const auto before = owner.safe;
    for (; !owner.booked.empty() && owner.booked.front().first <= up_to; owner.booked.pop_front())
      owner.safe = owner.booked.front().second;
    if (owner.safe != before)
      changed.push_back(o);
  }
  return changed;
}

std::vector<owner_id> failover_books::confirm(const store_seen& seen, instant now) {
  const auto from = stores_.find(seen.store);
  if (from == stores_.end())
    return {};
  from->second.untold.acknowledge(seen.incarnation, seen.number, now);
  return settle();
}

// -- owners -------------------------------------------------------------------------------------

void failover_books::booked(owner_id owner, std::uint64_t number) {
  owners_.at(owner).booked.emplace_back(number_, number);
  settle();
}

void failover_books::begin_session(owner_id owner, std::uint64_t number) {
  owners_.at(owner) = {number, {}};
}

// -- taking over --------------------------------------------------------------------------------

void failover_books::keep_left(const job_delivery& delivered) {
  left.insert(left.end(), delivered.jobs.begin(), delivered.jobs.end());
  if (delivered.resumed)
    missing_.erase(delivered.store);
}

bool failover_books::has_started(const kept_job& job) const {
  const auto first = running.lower_bound({job.what.id, 0});
  return first != running.end() && first->first.job == job.what.id;
}

std::vector<kept_job> failover_books::take_over() {
  taking_over_ = false;
  for (const auto& [owner, statement] : statements) {
    if (!statement.unknown.empty())
      partial.insert(owner);
    for (const auto& r : statement.running)
      running[r.task] = r.machine;
    for (const auto& e : statement.ended)
      running[e.task] = e.machine;
  }
  std::vector<kept_job> known;
  for (auto& job : std::exchange(left, {}))
    (partial.empty() || has_started(job) ? known : left).push_back(std::move(job));
  return known;
}

} // namespace troupe
