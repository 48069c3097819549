#pragma once

#include "model/metrics/results.hpp"
#include "model/records/records.hpp"
#include "report/timeline/member_events.hpp"
#include "report/timeline/timeline_filter.hpp"
#include "report/timeline/trace_events.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// What a timeline holds.
struct timeline_size {
  std::size_t events = 0;
  std::uint64_t left_out = 0; ///< events beyond the limit
  /// By the kind of an event, the instant of the first one that was left out. Records of jobs and
  /// tasks come when these end, so that one that began early may be left out.
  std::map<std::string, instant> gaps_from{};
  /// Tells the user how many events are missing, of which kinds, and how to see them. Empty if the
  /// timeline is complete.
  std::string complaint() const;
};

/// The timeline of a run as a trace in the Chrome trace format (docs/timeline.md), in memory until
/// the end. It takes rows of the time series, records of jobs and tasks, and, if the members can be
/// watched, their events; otherwise, decisions and commits come from the records.
class timeline final : public member_events {
public:
  static constexpr std::string_view beginning = R"({"displayTimeUnit")"; ///< of its text
  static constexpr std::size_t default_limit = 1'000'000;

  /// Beyond `limit` events of members, jobs and tasks, further ones are left out and counted.
  explicit timeline(timeline_filter filter, std::size_t limit = default_limit);

  void add(const interval_record& row);
  void add(const record_batch& records, const run_results& so_far);

  bool shows(std::string_view role, std::uint32_t number) const override;
  bool shows_snapshots() const override { return filter_.snapshots; }
  void watched() override { watched_ = true; }
  void round(instant at, std::uint64_t number) override;
  void decision(const decision_event& what) override;
  void queue(instant at, scheduler_id scheduler, std::uint64_t tasks) override;
  void arrival(instant at, scheduler_id scheduler, std::uint64_t jobs,
               std::uint64_t tasks) override;
  void snapshot(const snapshot_event& what) override;
  void offer(instant at, scheduler_id scheduler, std::uint64_t machines) override;
  void commit(const commit_event& what) override;

  /// Ends the timeline of a run and returns it as JSON.
  std::string finish(const run_results& results);
  timeline_size size() const;

private:
  struct machine_task {
    machine_id machine = 0;
    task_id task;
    instant from{0};
    instant to{0};
    resources demand;
    record_state state = record_state::running;
  };
  struct told_decision {
    scheduler_id scheduler = 0;
    instant from{0};
    instant to{0};
    auto operator<=>(const told_decision&) const = default;
  };

  /// Numbers of the whole cluster, of an interval.
  struct total {
    duration length{0};
    task_counts tasks;
    std::uint64_t conflicts = 0;
    double utilization = 0;
    view_age age;
  };

  bool room(std::string_view kind, std::size_t events, instant at);
  trace_track scheduler_track(scheduler_id scheduler);
  void add_job(const job_record& job, const run_results& so_far);
  void add_task(const task_record& task);
  void add_refusal(const attempt_record& refusal);
  void add_told_commit(const task_record& task);
  void draw_told_decisions();
  void draw_machines(instant end);
  void draw_totals();
  void draw_on_machine(const run_event& event);
  void draw_events(const run_results& results);

  timeline_filter filter_;
  std::size_t limit_;
  std::size_t used_ = 0; ///< of the limit
  std::uint64_t left_out_ = 0;
  std::map<std::string, instant> gaps_from_;
  trace_events events_;
  bool watched_ = false;
  std::uint64_t next_flow_ = 1;
  std::uint64_t told_commits_ = 0;
  std::map<std::pair<scheduler_id, instant>, std::uint64_t> decision_flow_; ///< by their ends
  std::map<scheduler_id, std::uint64_t> queue_;                             ///< the last ones
  std::vector<machine_task> machine_tasks_;
  std::map<told_decision, std::uint64_t> told_decisions_; ///< with their tasks
  std::map<instant, total> totals_;                       ///< by the ends of intervals
};

} // namespace troupe
