#pragma once

#include "model/queue_protocol.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace troupe {

/// What the machines of one process share: which schedulers they obey, who are to be shown signs of
/// life for all machines together, and the leases that these have given in answer. For any thread.
class lease_board {
public:
  explicit lease_board(std::uint32_t schedulers) : schedulers_(schedulers) {}

  /// Notes that a machine obeys a life of a scheduler. Earlier ones are forgotten.
  void obeys(scheduler_id scheduler, incarnation life);

  /// Returns the schedulers that are obeyed, with their lives.
  std::vector<std::pair<scheduler_id, incarnation>> obeyed() const;

  /// Notes a lease, unless there is a later one.
  void grant(const queue_lease& lease);

  /// Counts the leases that were noted.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

  /// Returns the latest lease of each scheduler that has given one.
  std::vector<std::shared_ptr<const queue_lease>> leases() const;

private:
  struct entry {
    incarnation life = 0;
    std::shared_ptr<const queue_lease> lease;
  };

  mutable std::mutex mutex_;
  std::vector<entry> schedulers_;
  std::atomic<std::uint64_t> version_{0};
};

} // namespace troupe
