#pragma once

#include "model/protocol/failure_protocol.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// How the master decides that members are gone.
struct member_rules {
  incarnation_id master = 1;                          ///< the incarnation of the master
  duration timeout = std::chrono::milliseconds{1500}; ///< silence after which a member is given up
  duration owner_lease = std::chrono::seconds{10}; ///< how long owners may act without the master
  /// The number of job stores. A restarted master must hear all of them before it confirms
  /// schedulers, to themselves and to new owners: only a job store may know that a scheduler was
  /// replaced.
  std::uint32_t stores = 0;
  /// The numbers of standbys that are there when the cluster begins: as soon as the first master
  /// has heard all of a role, it fills the places that no member has filled. Otherwise, or if the
  /// number is 0, it does so after `timeout`.
  std::uint32_t first_owners = 0;
  std::uint32_t first_schedulers = 0;
};

/// There are no numbers for members of a later incarnation of the master.
inline constexpr incarnation_id most_masters = 1023;

/// The members of the cluster as the master knows them by their heartbeats: the present members,
/// the silent ones, and the standbys. Without an actor around it.
///
/// A restarted master asks all members for the membership that they know, and replaces none before
/// all have had the time to answer, except for schedulers that are known to have ended.
class member_table {
public:
  /// `places` are the places to fill, each with its first incarnation. 0: no member has filled the
  /// place yet; a standby does once all standbys have shown up, or have had the time to.
  member_table(std::vector<member_entry> places, const member_rules& rules, instant now);

  /// Books a heartbeat. Returns the answer.
  heartbeat_reply hear(const member_heartbeat& heartbeat, instant now);

  /// Why a place gets a new member.
  enum class vacancy {
    never_filled,
    silent, ///< its member has sent nothing for the time-out
    let_go, ///< as for a drain, to rebalance the nodes, or as its member has ended
  };

  /// A place and the standby that is to fill it, by its own number.
  struct appointment {
    std::uint32_t standby = 0;
    promotion what;
    vacancy why = vacancy::never_filled;
  };

  /// Another member fills the place as soon as there is a standby.
  void let_go(role what, std::uint32_t number);

  /// Fills the places of members that are silent as long as there are standbys that have sent
  /// something in the last half of the time-out. To be called often.
  std::vector<appointment> check(instant now);

  /// Returns the appointment of a standby if the standby seems not to know it.
  std::optional<promotion> appointed(role what, std::uint32_t number) const;

  /// The present members, as far as they are known.
  const membership& now() const { return membership_; }

private:
  struct place {
    member_entry who;
    instant heard{0};
    bool shown = false;  ///< this incarnation has been heard
    bool leaves = false; ///< another standby is to fill it
  };

  struct standby {
    role what = role::owner;
    std::uint32_t number = 0;
    instant heard{0};
  };

  place* find(role what, std::uint32_t number);
  const place* find(role what, std::uint32_t number) const;
  void learn(const std::vector<member_entry>& known);

  /// Returns whether this standby has filled a place, and the heartbeat is an earlier one.
  bool has_place(const member_entry& who, instant now) const;
  std::optional<std::uint32_t> take_standby(role what, instant now);
  void publish();
  bool knows_stores() const;

  /// Returns whether all standbys that were there at the beginning have been heard.
  bool all_have_shown(role what) const;

  member_rules rules_;
  instant started_;
  std::vector<place> places_;
  std::vector<standby> standbys_; ///< in the order in which they came
  std::map<std::pair<role, std::uint32_t>, promotion> appointed_; ///< by standby
  std::vector<std::pair<role, std::uint32_t>> told_; ///< members that have sent their membership
  membership membership_;
};

} // namespace troupe
