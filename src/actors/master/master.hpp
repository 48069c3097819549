#pragma once

#include "actors/common/run_clock.hpp"
#include "actors/master/member_table.hpp"
#include "actors/protocol/handles.hpp"
#include "model/protocol/sync_plan.hpp"

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
  /// If failures are watched: the places that it keeps filled, by these rules.
  std::vector<member_entry> places{};
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
  std::optional<member_table> table; ///< if failures are watched
  instant looked{0};                 ///< the time of the last search for silent members
  std::map<std::pair<role, std::uint32_t>, caf::strong_actor_ptr> heard_from;
  std::map<std::pair<role, std::uint32_t>, standby_actor> standbys;

  /// Adds a member, in place of one with the same role and number.
  void join(const member& who, caf::actor_id id);

  /// Removes a member. Returns whether there was one.
  bool leave(const member& who);
  bool leave(caf::actor_id id);

  /// Returns how many members there are.
  std::size_t members() const { return members_.size(); }

private:
  struct entry {
    member who;
    caf::actor_id id = 0;
  };

  std::vector<entry> members_;
};

/// The master: membership and the sync rounds. It is not on the path of any placement.
master_actor::behavior_type master(master_actor::stateful_pointer<master_state> self,
                                   master_config config);

} // namespace troupe
