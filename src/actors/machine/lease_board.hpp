#pragma once

#include "model/protocol/process_heartbeat.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace troupe {

/// The board that the machines of one process share: the owners and schedulers that they obey, to
/// which one heartbeat for all machines is sent, and the leases in their answers. For any thread.
class lease_board {
public:
  lease_board(std::uint32_t owners, std::uint32_t schedulers)
    : owners_(owners), schedulers_(schedulers) {}

  /// An owner or a scheduler that machines obey.
  struct obeyed_member {
    role what = role::owner;
    std::uint32_t number = 0;
    incarnation_id incarnation = 0;

    friend bool operator==(const obeyed_member&, const obeyed_member&) = default;
  };

  /// Notes that a machine obeys an incarnation of an owner or a scheduler. Earlier ones are
  /// forgotten.
  void obeys(const obeyed_member& member);

  /// Returns the owners and schedulers that are obeyed.
  std::vector<obeyed_member> obeyed() const;

  /// Notes a lease, unless there is a later one.
  void grant(const process_lease& lease);

  /// Counts the leases of all schedulers that were noted.
  std::uint64_t version() const { return of_schedulers_.load(std::memory_order_acquire); }

  /// Returns the latest lease of each scheduler that has given one after that version, and sets
  /// `version` to the present one.
  std::vector<std::shared_ptr<const process_lease>> leases_after(std::uint64_t& version) const;

  /// Returns the latest lease of an owner if it is later than that version, which counts its
  /// leases, and sets `version` to the present one; otherwise null.
  std::shared_ptr<const process_lease> owner_lease_after(std::uint32_t owner,
                                                         std::uint64_t& version) const;

private:
  struct entry {
    incarnation_id incarnation = 0;
    std::shared_ptr<const process_lease> lease;
    std::atomic<std::uint64_t> version{0}; ///< with this lease
  };

  entry* find(role what, std::uint32_t number);
  static void append(role what, const std::vector<entry>& from, std::vector<obeyed_member>& to);

  mutable std::mutex mutex_;
  std::vector<entry> owners_;
  std::vector<entry> schedulers_;
  std::atomic<std::uint64_t> of_schedulers_{0};
};

} // namespace troupe
