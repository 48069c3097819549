#pragma once

#include "workload/formats/google_events.hpp"
#include "workload/traces/trace_job.hpp"
#include "workload/traces/trace_window.hpp"

#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace troupe::google2011 {

/// A row of the task events, or of the job events, in which every job counts as one task.
struct task_row {
  duration at{0}; ///< since the beginning of the window
  std::uint64_t job = 0;
  std::uint32_t index = 0;
  event what = event::submit;
  std::int32_t priority = 0;
  std::int32_t cpu = -1; ///< in units; -1: not known
  std::int32_t memory = -1;
  bool spread = false;
};

/// Assembles jobs from the events of their tasks, which come in the order of time.
///
/// A task runs from its last SCHEDULE event until its end of any kind, except evictions, after
/// which it starts again. Events of a job are processed until its age reaches the horizon or the
/// trace has ended; later events are ignored.
///
/// Tasks that are submitted more than `same_time` after the first task of their job form separate
/// jobs (parts), submitted with the first task of the part.
class job_assembly {
public:
  job_assembly(const trace_settings& settings, trace_tally& tally)
    : settings_(settings), window_(settings), tally_(tally) {}

  /// Processes a row, which must not be earlier than the previous one.
  void add(const task_row& row);

  /// Adds a constraint to a task, if its job is in memory.
  void constrain(std::uint64_t job, std::uint32_t index, constraint what);

  /// Marks the end of the input.
  void end() { ended_ = true; }

  /// Removes the earliest job; returns false if it is not known yet, or there is none.
  bool take(trace_job& job);

  /// The number of tasks in parts that came later than their job.
  std::uint64_t late_tasks() const { return late_tasks_; }

  /// The number of such parts.
  std::uint64_t late_parts() const { return late_parts_; }

  static constexpr duration same_time = std::chrono::seconds{1};

private:
  enum class state : std::uint8_t { waiting, running, over };

  struct task {
    std::uint32_t index = 0;
    state is = state::waiting;
    bool ran = false;
    std::int32_t cpu = -1;
    std::int32_t memory = -1;
    std::uint32_t constraints = 0; ///< number of the job's list, from 1; 0: none
    duration submitted{0};
    duration scheduled{0};
    duration length{0};
  };

  struct open_job {
    std::uint64_t id = 0;
    duration submitted{0};
    std::int32_t priority = 0;
    bool spread = false;
    std::vector<task> tasks;                          ///< by index
    std::vector<std::vector<constraint>> constraints; ///< of single tasks
  };

  /// A complete job that waits for its turn.
  struct part {
    duration submitted{0}; ///< in the trace
    std::uint64_t order = 0;
    trace_job job;

    /// Orders a heap so that the earliest is on top.
    friend bool operator<(const part& a, const part& b) {
      return a.submitted != b.submitted ? a.submitted > b.submitted : a.order > b.order;
    }
  };

  static task* find(open_job& in, std::uint32_t index);
  void submit(const task_row& row);
  static void finish(task& t, duration at);
  bool ripe() const;
  bool comes_next() const;
  void close_earliest();
  std::optional<duration> length_of(const task& t, duration until);
  void hand_on(const open_job& from, std::span<const task*> tasks, duration submitted);
  static void add_to(trace_job& job, const task& t, duration length,
                     const std::vector<constraint>& constraints);

  trace_settings settings_;
  trace_window window_;
  trace_tally& tally_;
  std::deque<open_job> open_;
  std::unordered_map<std::uint64_t, std::size_t> places_; ///< numbers, counted from the first job
  std::size_t taken_ = 0;
  std::vector<part> parts_; ///< a heap
  std::uint64_t order_ = 0;
  std::uint64_t late_tasks_ = 0;
  std::uint64_t late_parts_ = 0;
  duration now_{0};
  bool ended_ = false;
};

} // namespace troupe::google2011
