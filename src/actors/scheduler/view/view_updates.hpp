#pragma once

#include "actors/scheduler/scheduler_tables.hpp"

#include <vector>

namespace troupe {

/// Updates the view by the snapshots and answers of owners. Then it charges the placements that the
/// owner had not seen again. It leaves out placements that the owner is going to refuse: a
/// scheduler that counted on them would expect wrong versions from then on, and would get no more
/// grants.
class view_updates {
public:
  explicit view_updates(scheduler_tables& tables) : tables_(tables) {}

  /// Replaces the state of some partitions.
  void refresh(sync_update&& update, instant now);

  /// Learns the state of machines from an answer that says where alternatives were tried.
  void learn(const commit_reply& reply);

  /// Takes back the charges of placements that an owner has refused.
  void refuse(const open_commit& commit, const commit_reply& reply);

private:
  void recount_tenants(const sync_update& update);

  /// Charges placements once more that an owner had not seen with commit `after`, on machines for
  /// which `wanted(machine)` holds.
  template <class Wanted>
  void recharge(owner_id owner, commit_id after, const Wanted& wanted);
  void recharge_machine(owner_id owner, commit_id after, machine_id only);

  /// Returns false if it was foreseen to be granted and is not any more.
  bool recharge(decided_placement& d);

  scheduler_tables& tables_;
  std::vector<partition_id> refreshed_; ///< by the update in hand
};

} // namespace troupe
