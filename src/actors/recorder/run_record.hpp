#pragma once

#include "model/live/live_board.hpp"
#include "model/metrics/parallel_jobs.hpp"
#include "model/metrics/partition_series.hpp"
#include "model/metrics/results.hpp"
#include "model/metrics/run_sums.hpp"
#include "model/metrics/running_books.hpp"
#include "model/metrics/scheduler_series.hpp"
#include "model/metrics/task_balance.hpp"
#include "model/records/records.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// How many tasks are where, all schedulers together.
struct run_totals {
  task_counts tasks;
  std::uint64_t conflicts = 0;
  std::uint64_t molded = 0; ///< as in `scheduler_sample`
};

/// The measurements of the recorder so far. The recorder writes it; the code that started the run
/// reads it, in real time from another thread, and holds the lock meanwhile.
struct run_record {
  std::mutex mutex;
  std::vector<interval_record> series;     ///< rows that were not taken yet
  std::vector<tenant_record> tenants;      ///< likewise; by time, then by tenant
  record_batch records;                    ///< of jobs and tasks, in order, that were not taken yet
  run_sums sums;                           ///< of all rows
  std::shared_ptr<parallel_jobs> parallel; ///< of the records taken so far; null: not measured
  scheduler_series schedulers;             ///< of each scheduler
  partition_series partitions;             ///< of each partition
  run_totals totals;
  owner_sample owners;  ///< all owners, over the whole run
  node_status nodes;    ///< all nodes, since the start
  offer_sample offers;  ///< all frameworks, over the whole run
  task_balance balance; ///< where tasks are now; imbalances are kept
  /// If failures are watched: the running tasks by the books of each member, at the end.
  std::optional<running_books> runs{};
  /// A scheduler or an owner was replaced, and its counts are lost, or it reported its counts from
  /// before the beginning too late to tell them from later ones.
  bool replaced = false;
  bool complete = true;   ///< all schedulers and owners have answered the last sample
  duration host_delay{0}; ///< in real time: how late a busy host woke the program, at most
  std::uint64_t workload_jobs = 0;
  std::uint64_t workload_tasks = 0;
  std::map<std::string, std::uint64_t> skipped_rows;
  duration moved{0};      ///< how much earlier jobs are submitted than their trace says, at most
  bool bad_input = false; ///< `error` describes a fault of the input
  std::string error;      ///< why the run cannot continue: a failed workload, a dead actor
  instant sampled_at{0};  ///< when the last sample was taken
  double utilization_max = 0;
  /// The display of the run in progress; null: none. Not changed while there is a recorder.
  std::shared_ptr<live_board> live{};
  bool finished = false; ///< the workload has ended and every task with it
  bool flushed = false;  ///< the last sample has been taken
};

} // namespace troupe
