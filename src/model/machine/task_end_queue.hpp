#pragma once

#include "model/base/run_set.hpp"
#include "model/protocol/protocol.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace troupe {

/// The ends of all emulated tasks of a node, in order of time, in buckets of one tick. It replaces
/// a timer per task. Adding and taking cost little with any number of pending ends.
class task_end_queue {
public:
  /// The end of a run, and the member to notify: the owner or, if so marked, the scheduler with
  /// that number.
  struct entry {
    task_end end;
    std::uint32_t launcher = 0; ///< below `launchers`
    bool by_scheduler = false;
    run_number run = 0;
  };

  /// The numbers of members are below this.
  static constexpr std::uint32_t launchers = 1u << 27;

  /// Throws `std::invalid_argument` unless `tick` is positive.
  explicit task_end_queue(duration tick);

  task_end_queue(const task_end_queue&) = delete;
  task_end_queue& operator=(const task_end_queue&) = delete;

  bool empty() const { return buckets_.empty(); }
  std::size_t size() const { return size_; }

  /// The time at which the next ends are due: the end of a bucket; `instant::max()` if there are
  /// none.
  instant next() const;

  /// Throws `std::out_of_range` if the number of the member to notify is too great.
  void add(const entry& e);

  /// Appends all ends due at `now` to `out`: earlier ticks first, within a tick in the order of
  /// adding.
  void take_due(instant now, std::vector<entry>& out);

private:
  /// An entry in less memory: there is one for each task that runs.
  struct packed {
    explicit packed(const entry& e);
    entry unpacked() const;

    job_id job;
    instant at;
    run_number run;
    std::uint32_t index;
    machine_id machine;
    grant_number grant;
    std::uint32_t launcher : 27;
    std::uint32_t outcome : 4;
    std::uint32_t by_scheduler : 1;
  };

  using bucket = std::vector<packed>;

  duration tick_;
  std::map<std::int64_t, bucket> buckets_; ///< by the number of ticks at which they are due
  std::vector<bucket> spare_;
  std::map<std::int64_t, bucket>::iterator latest_;
  std::size_t size_ = 0;
};

} // namespace troupe
