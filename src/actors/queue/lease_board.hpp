#pragma once

#include "model/protocol/queue_protocol.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace troupe {

/// The board that the machines of one process share: the schedulers that they obey, to which one
/// heartbeat for all machines is sent, and the leases in their answers. For any thread.
class lease_board {
public:
  explicit lease_board(std::uint32_t schedulers) : schedulers_(schedulers) {}

  /// Notes that a machine obeys an incarnation of a scheduler. Earlier ones are forgotten.
  void obeys(scheduler_id scheduler, incarnation_id incarnation);

  /// Returns the schedulers that are obeyed, with their incarnations.
  std::vector<std::pair<scheduler_id, incarnation_id>> obeyed() const;

  /// Notes a lease, unless there is a later one.
  void grant(const queue_lease& lease);

  /// Counts the leases that were noted.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

  /// Returns the latest lease of each scheduler that has given one after that version, and sets
  /// `version` to the present one.
  std::vector<std::shared_ptr<const queue_lease>> leases_after(std::uint64_t& version) const;

private:
  struct entry {
    incarnation_id incarnation = 0;
    std::shared_ptr<const queue_lease> lease;
    std::uint64_t version = 0; ///< of the board, with this lease
  };

  mutable std::mutex mutex_;
  std::vector<entry> schedulers_;
  std::atomic<std::uint64_t> version_{0};
};

} // namespace troupe
