#include "actors/scheduler/commits/commit_sender.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

std::vector<outgoing_commit> commit_sender::send_batch(instant now) {
  std::vector<outgoing_commit> out;
  auto& batch = tables_.batch;
  owners_.clear();
  for (const auto& d : batch)
    owners_.push_back(tables_.setup.owner_of_machine(d.machine));
  if (auto* records = tables_.records())
    for (const auto& d : batch)
      records->decide(d.task.task, d.task.submitted,
                      tables_.setup.learns_from_snapshots() ? d.age : unknown_time, now);
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (owners_[i] != packed)
      out.push_back(send_from(i, now));
  batch.committed();
  return out;
}

outgoing_commit commit_sender::send_from(std::size_t from, instant now) {
  auto& batch = tables_.batch;
  auto& transactions = tables_.transactions;
  const auto& setup = tables_.setup;
  const auto to = owners_[from];
  const auto number = batch[from].transaction;
  auto& first = transactions[number];
  const bool apart = first.mode != commit_mode::each;
  open_commit next;
  next.sent = now;
  next.mode = first.mode;
  next.offers = tables_.offers.incarnation();
  next.placements.reserve(std::count(owners_.begin() + from, owners_.end(), to));
  auto latest = ~std::uint64_t{0};
  bool elsewhere = false;
  for (auto i = from; i < batch.size(); ++i) {
    if (owners_[i] == packed)
      continue;
    auto& d = batch[i];
    if (apart && d.transaction != number)
      continue;
    if (owners_[i] != to) {
      elsewhere = true;
      continue;
    }
    auto& of = transactions[d.transaction];
    if (!apart && of.mode != commit_mode::each)
      continue;
    if (std::exchange(latest, d.transaction) != d.transaction)
      ++of.open;
    if (setup.learns_from_offers())
      tables_.offers.use(d.machine, d.task.demand);
    next.placements.push_back(std::move(d));
    owners_[i] = packed;
  }
  // A transaction that stands or falls as one is held by its owners if there are several, or until
  // the job store knows how wide its job is.
  const bool tells = tables_.failover && tables_.failover->has_untold_width(first.job);
  if (first.mode == commit_mode::together && (elsewhere || tells))
    next.mode = first.mode = commit_mode::hold;
  return send(to, std::move(next));
}

outgoing_commit commit_sender::send(owner_id to, open_commit&& commit) {
  commit.id = tables_.commits.next_id();
  ++tables_.counters.own().commits;
  return request(to, tables_.commits.add(to, std::move(commit)));
}

std::vector<outgoing_commit> commit_sender::send_overdue(instant now) {
  std::vector<outgoing_commit> out;
  const auto timeout = tables_.setup.limits.commit_timeout;
  tables_.commits.visit_overdue(now, timeout, [&](owner_id owner, open_commit& c) {
    c.sent = now;
    out.push_back(request(owner, c));
    if (c.held) // only to say that it is still wanted
      return;
    c.sent_again = true;
    ++tables_.counters.own().retransmits;
  });
  return out;
}

} // namespace troupe
