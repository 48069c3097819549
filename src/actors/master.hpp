#pragma once

#include "actors/handles.hpp"
#include "actors/member_table.hpp"
#include "actors/run_clock.hpp"
#include "model/sync_plan.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

struct master_config {
  sync_plan plan = sync_plan::none();
  std::vector<owner_id> owner_of; ///< the owner of each partition
  run_clock clock;
  /// Where failures are watched: the places that it keeps filled, by these rules.
  std::vector<roster_entry> places{};
  member_rules rules{};
  duration heartbeat = std::chrono::milliseconds{500};
};

class master_state {
public:
  static inline const char* name = "master";

  master_state() = default;

  master_config config;
  std::vector<owner_actor> owners;
  std::uint64_t rounds = 0;
  std::optional<member_table> table; ///< where failures are watched
  instant looked{0};                 ///< for those who are silent, the last time
  std::map<std::pair<role, std::uint32_t>, caf::strong_actor_ptr> heard_from;
  std::map<std::pair<role, std::uint32_t>, candidate_actor> candidates;

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
guarded_master_actor::behavior_type
master(guarded_master_actor::stateful_pointer<master_state> self, master_config config);

} // namespace troupe
