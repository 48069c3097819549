#pragma once

#include "actors/reach.hpp"
#include "model/failure_protocol.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace troupe {

/// How a member of a cluster where failures are watched shows that it lives.
struct survival_rules {
  roster_entry as; ///< what it is
  roster now;      ///< who else is there when it starts
  duration heartbeat = std::chrono::milliseconds{500};
  reach_function reach;         ///< finds the others
  std::function<void()> retire; ///< told once another one has taken over, and the member ends
};

/// What a member knows of the cluster, without the actor around it: the latest roster, and whether
/// the master hears it.
class membership {
public:
  explicit membership(const survival_rules& rules) : as_(rules.as), now_(rules.now) {}

  /// Returns a sign of life for the master.
  member_beat beat(instant now) const {
    member_beat b{as_, false, now, now_.master, now_.version, {}};
    if (tells_roster_)
      b.knows = now_.entries;
    return b;
  }

  /// Books the master's answer.
  void hear(const beat_answer& answer) { tells_roster_ = answer.tell_roster; }

  /// Takes a newer roster over. Returns false for one that is not. A master that has just been
  /// started may know less than its members: lives that were heard of stay.
  bool hear(const roster& news) {
    if (std::pair{news.master, news.version} <= std::pair{now_.master, now_.version})
      return false;
    const auto before = std::exchange(now_, news);
    for (auto& e : now_.entries)
      for (const auto& known : before.entries)
        if (e.what == known.what && e.number == known.number)
          e.life = std::max(e.life, known.life);
    return true;
  }

  /// The latest life of a member; 0 for one that the roster does not name.
  incarnation life_of(role what, std::uint32_t number) const {
    for (const auto& e : now_.entries)
      if (e.what == what && e.number == number)
        return e.life;
    return 0;
  }

  /// Returns whether another one is by now what this member was.
  bool deposed() const { return life_of(as_.what, as_.number) > as_.life; }

  const roster& now() const { return now_; }
  const roster_entry& as() const { return as_; }

private:
  roster_entry as_;
  roster now_;
  bool tells_roster_ = false;
};

} // namespace troupe
