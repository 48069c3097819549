#pragma once

#include "model/jobs/gangs_aside.hpp"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// The gangs that found no room in the view, and the times of their next tries: when the view has
/// gained resources, or after a while if there seemed to be room but the policy found no place for
/// all of a gang. A gang is then tried before the jobs behind it in the queue.
class gang_waits {
public:
  /// If `attempts_count`, passing over a gang counts as an attempt at it.
  explicit gang_waits(bool attempts_count) : attempts_count_(attempts_count) {}

  bool any() const { return gangs_.any(); }
  const gangs_aside& all() const { return gangs_; }

  /// Returns when gangs are tried again although nothing has become free; nothing if none is.
  std::optional<instant> next_due() const {
    return gangs_.any_restless() ? std::optional{rest_until_} : std::nullopt;
  }

  /// Returns whether it is time to try again: the view has gained, or the wait is over.
  bool are_due(bool gained, instant now) const {
    return gangs_.any() && (gained || (gangs_.any_restless() && now >= rest_until_));
  }

  /// Takes out the gangs to try again, in their order. `hidden_too`: hidden partitions count as
  /// room.
  std::vector<waiting_task> take(const view& seen, bool hidden_too, instant now) {
    room_.look(seen, hidden_too);
    auto ready = gangs_.take(
      attempts_count_ ? gangs_aside::unlimited() : room_.free(), cut_short_,
      [&](const gang_need& need) { return attempts_count_ || room_.may_hold(seen, need); });
    if (gangs_.any_restless() && now >= rest_until_)
      rest_until_ = now + gang_patience;
    return ready;
  }

  /// Returns whether the last `take` has left any because they were not in turn.
  bool left_behind() const { return gangs_.left_behind(); }

  /// Returns whether a gang was put aside before and still has no room, by the last look.
  bool has_no_room(const view& seen, job_id gang) {
    const auto* known = gangs_.need_of(gang);
    return known != nullptr && !room_.may_hold(seen, *known);
  }

  /// Returns whether a gang was put aside before.
  bool knows(job_id gang) const { return gangs_.need_of(gang) != nullptr; }

  /// Puts a gang aside for which the policy has found no place.
  void put(const waiting_task& whole, gang_need need, const view& seen, bool hidden_too,
           instant now) {
    room_.forget();
    room_.look(seen, hidden_too);
    const bool restless = attempts_count_ || room_.may_hold(seen, need);
    gangs_.put(whole, std::move(need), restless);
    rest_until_ = now + gang_patience;
  }

  /// Puts a gang aside again without an attempt, as it has no room.
  void put_again(const waiting_task& whole, instant now) {
    gangs_.put_again(whole, attempts_count_);
    if (attempts_count_)
      rest_until_ = now + gang_patience;
  }

  /// Notes that a gang has been placed, by the tasks that it consists of.
  void placed(job_id gang, const std::vector<waiting_task>& tasks) {
    gangs_.drop(gang);
    if (gangs_.any())
      for (const auto& t : tasks)
        room_.take(t.demand);
  }

  /// Forgets a gang; returns it if it is aside.
  std::optional<waiting_task> drop(job_id gang) { return gangs_.drop(gang); }

  /// Notes whether the decision that was made last has left tasks that were to be tried.
  void cut_short(bool was) { cut_short_ = was; }
  bool was_cut_short() const { return cut_short_; }

private:
  /// A gang that should fit but found no place is tried again after this at the latest: a policy
  /// that samples may find places for all of it at the next try.
  static constexpr duration gang_patience = std::chrono::seconds{1};

  bool attempts_count_;
  gangs_aside gangs_;
  gang_room room_;         ///< in the view
  bool cut_short_ = false; ///< the last decision
  instant rest_until_{0};  ///< when the restless ones are tried again in any case
};

} // namespace troupe
