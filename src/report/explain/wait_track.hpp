#pragma once

#include "report/explain/task_story.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// The waits of one task, one after the other, as its events come in.
class wait_track {
public:
  bool empty() const { return waits_.empty(); }

  /// Whether the task waits.
  bool waiting() const { return !waits_.empty() && waits_.back().until == no_instant; }

  /// Why it waits, or waited last; `none` if it never did.
  wait_reason why() const { return waits_.empty() ? wait_reason::none : waits_.back().why; }

  /// A wait begins, or continues for another reason.
  void open(instant from, wait_reason why);

  void close(instant at);

  /// The wait continues for another reason, with this number of tasks ahead.
  void turn(wait_reason why, instant at, std::uint64_t ahead = 0);

  /// It waits for its turn, with this number of tasks ahead.
  void behind(std::uint64_t ahead, instant at);

  /// It waited for its group until `since`; from then on for its turn.
  void release(instant since);

  /// The same, if this becomes known later.
  void split(instant since);

  /// After a refusal it waits until an instant, and then `then`.
  void back_off(instant until, wait_reason then, instant now);

  /// Notes that a back-off has ended, if it has.
  void pass(instant now);

  /// Returns the waits that took time.
  std::vector<story_wait> finish() const;

  /// What a task waits for at its scheduler, unless something else is known; `behind_others` unless
  /// it is said otherwise.
  wait_reason at_scheduler = wait_reason::behind_others;

private:
  std::vector<story_wait> waits_;
  instant until_ = no_instant; ///< of a back-off
  wait_reason then_ = wait_reason::behind_others;
};

} // namespace troupe
