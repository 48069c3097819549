#include "actors/queue/lease_board.hpp"

#include <algorithm>

namespace troupe {

void lease_board::obeys(scheduler_id scheduler, incarnation_id incarnation) {
  const std::lock_guard lock{mutex_};
  if (scheduler < schedulers_.size())
    schedulers_[scheduler].incarnation = std::max(schedulers_[scheduler].incarnation, incarnation);
}

std::vector<std::pair<scheduler_id, incarnation_id>> lease_board::obeyed() const {
  const std::lock_guard lock{mutex_};
  std::vector<std::pair<scheduler_id, incarnation_id>> all;
  for (scheduler_id s = 0; s < schedulers_.size(); ++s)
    if (schedulers_[s].incarnation > 0)
      all.emplace_back(s, schedulers_[s].incarnation);
  return all;
}

void lease_board::grant(const queue_lease& lease) {
  const std::lock_guard lock{mutex_};
  if (lease.scheduler >= schedulers_.size())
    return;
  auto& of = schedulers_[lease.scheduler];
  const bool is_later = !of.lease ||
                        lease.scheduler_incarnation > of.lease->scheduler_incarnation ||
                        (lease.scheduler_incarnation == of.lease->scheduler_incarnation &&
                         lease.answers > of.lease->answers);
  if (lease.scheduler_incarnation != of.incarnation || !is_later)
    return;
  of.lease = std::make_shared<const queue_lease>(lease);
  of.version = version_.fetch_add(1, std::memory_order_release) + 1;
}

std::vector<std::shared_ptr<const queue_lease>>
lease_board::leases_after(std::uint64_t& version) const {
  const std::lock_guard lock{mutex_};
  std::vector<std::shared_ptr<const queue_lease>> all;
  for (const auto& s : schedulers_)
    if (s.version > version)
      all.push_back(s.lease);
  version = this->version();
  return all;
}

} // namespace troupe
