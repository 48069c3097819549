#pragma once

#include "model/protocol.hpp"
#include "model/run_set.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace troupe {

/// The ends of all emulated tasks of a node, in order of time, in buckets of one tick: what makes
/// a timer per task unnecessary. Adding and taking cost little however many are pending.
class task_end_queue {
public:
  /// The end of a run, and the member that wants to hear of it: the owner or, if so marked, the
  /// scheduler of that number.
  struct entry {
    task_end end;
    owner_id owner = 0;
    bool by_scheduler = false;
    run_number run = 0;
  };

  /// Throws `std::invalid_argument` unless `tick` is positive.
  explicit task_end_queue(duration tick);

  task_end_queue(const task_end_queue&) = delete;
  task_end_queue& operator=(const task_end_queue&) = delete;

  bool empty() const { return buckets_.empty(); }
  std::size_t size() const { return size_; }

  /// When the next ends are due: the end of a bucket; `instant::max()` if there are none.
  instant next() const;

  void add(const entry& e);

  /// Appends everything due at `now` to `out`, earlier ticks first, in the order of adding within.
  void take_due(instant now, std::vector<entry>& out);

private:
  using bucket = std::vector<entry>;

  duration tick_;
  std::map<std::int64_t, bucket> buckets_; ///< by the number of ticks at which they are due
  std::vector<bucket> spare_;
  std::map<std::int64_t, bucket>::iterator latest_;
  std::size_t size_ = 0;
};

} // namespace troupe
