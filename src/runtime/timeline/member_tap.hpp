#pragma once

#include "report/timeline/member_events.hpp"
#include "runtime/time/virtual_coordinator.hpp"
#include "settings/schema/settings.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace troupe {

struct scheduler_state;
struct sparrow_scheduler_state;
class master_state;

/// Watches the members of a cluster in virtual time and reports their events: it sees each message
/// before it is handled, and the state of the member after that. It changes nothing.
class member_tap {
public:
  /// All of these must outlive it. Null `to`: it does nothing.
  member_tap(virtual_coordinator& time, const run_settings& settings, member_events* to);
  member_tap(const member_tap&) = delete;
  member_tap& operator=(const member_tap&) = delete;
  ~member_tap();

  /// Tells of the commits that are not answered: the run is over.
  void finish();

private:
  /// What an actor is. A member that has ended is not looked at any more.
  struct watched_actor {
    enum class kind : std::uint8_t { unknown, other, master, owner, scheduler, prober };

    kind is = kind::unknown;
    std::uint32_t number = 0;
    const scheduler_state* scheduler = nullptr;
    const sparrow_scheduler_state* prober = nullptr;
    const master_state* master = nullptr;
    std::string policy{};
    bool deciding = false;
    instant due{0};
    commit_id last_commit = 0;
    instant counted{-1}; ///< when the queue was counted
    std::uint64_t rounds = 0;
  };

  std::string policy_of(std::uint32_t group) const;
  void before(const caf::monitorable_actor& actor, const caf::mailbox_element* message);
  void after(const caf::monitorable_actor& actor);
  void identify(watched_actor& who, const caf::monitorable_actor& actor);
  void hear_master(watched_actor& who);
  void hear_scheduler(watched_actor& who, const caf::type_erased_tuple& message);
  void look_at_scheduler(watched_actor& who);
  template <class State>
  void look_at_decision(watched_actor& who, const State& state);

  virtual_coordinator& time_;
  const run_settings& settings_;
  member_events* to_;
  std::unordered_map<caf::actor_id, watched_actor> actors_;
  std::map<std::pair<scheduler_id, commit_id>, commit_event> commits_; ///< not answered
  /// Numbers of tasks, by the commits that hold them.
  std::map<std::pair<scheduler_id, commit_id>, std::uint64_t> held_;
};

} // namespace troupe
