#pragma once

#include "actors/common/reach.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace troupe {

/// The settings for the heartbeats of a member if failures are watched.
struct failover_rules {
  member_entry as; ///< its role, number and incarnation
  membership now;  ///< the other members when it starts
  duration heartbeat = std::chrono::milliseconds{500};
  reach_function reach;         ///< finds the others
  std::function<void()> retire; ///< told once another one has taken over, and the member ends
};

/// The knowledge of a member about the cluster, without the actor around it: the latest membership,
/// and whether the master hears it.
class member_session {
public:
  explicit member_session(const failover_rules& rules) : as_(rules.as), now_(rules.now) {}

  /// Returns a heartbeat for the master.
  member_heartbeat heartbeat(instant now) const {
    member_heartbeat b{as_, false, now, now_.master, now_.version, {}};
    if (tells_membership_)
      b.knows = now_.entries;
    return b;
  }

  /// Books the master's answer.
  void hear(const heartbeat_reply& answer) { tells_membership_ = answer.tell_membership; }

  /// Adopts a newer membership; returns false for an older one. A restarted master may know less
  /// than its members: known incarnations stay.
  bool hear(const membership& news) {
    if (std::pair{news.master, news.version} <= std::pair{now_.master, now_.version})
      return false;
    const auto before = std::exchange(now_, news);
    for (auto& e : now_.entries)
      for (const auto& known : before.entries)
        if (e.what == known.what && e.number == known.number)
          e.incarnation = std::max(e.incarnation, known.incarnation);
    return true;
  }

  /// The latest incarnation of a member; 0 for a member that the membership does not name.
  incarnation_id incarnation_of(role what, std::uint32_t number) const {
    for (const auto& e : now_.entries)
      if (e.what == what && e.number == number)
        return e.incarnation;
    return 0;
  }

  /// Returns whether another member has taken the place of this one.
  bool deposed() const { return incarnation_of(as_.what, as_.number) > as_.incarnation; }

  const membership& now() const { return now_; }
  const member_entry& as() const { return as_; }

private:
  member_entry as_;
  membership now_;
  bool tells_membership_ = false;
};

} // namespace troupe
