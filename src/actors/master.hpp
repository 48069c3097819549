#pragma once

#include "actors/handles.hpp"
#include "actors/run_clock.hpp"
#include "model/sync_plan.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <vector>

namespace troupe {

struct master_config {
  sync_plan plan = sync_plan::none();
  std::vector<owner_id> owner_of; ///< the owner of each partition
  run_clock clock;
};

class master_state {
public:
  static inline const char* name = "master";

  master_state() = default;

  master_config config;
  std::vector<owner_actor> owners;
  std::uint64_t rounds = 0;

  /// Takes a member in. One of the same role and number is replaced.
  void join(const member& who, caf::actor_id id);

  /// Lets a member go. Returns whether there was one.
  bool leave(const member& who);
  bool leave(caf::actor_id id);

  cluster_status status() const;
  partition_map map() const { return {map_version_, config.owner_of}; }

private:
  struct entry {
    member who;
    caf::actor_id id = 0;
  };

  std::vector<entry> members_;
  std::uint64_t map_version_ = 1;
};

/// The master: membership, the partition map, and the sync rounds. It is not on the path of any
/// placement.
master_actor::behavior_type master(master_actor::stateful_pointer<master_state> self,
                                   master_config config);

} // namespace troupe
