#pragma once

#include "model/base/time.hpp"
#include "model/jobs/speedup.hpp"
#include "settings/schema/choices.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The settings of generated workloads and of traces of jobs. fields_workload.hpp and
/// fields_trace.hpp have the meaning and range of each member.
namespace troupe {

/// A period of constant load.
struct phase_settings {
  duration length = std::chrono::seconds{30};
  double rate = 0; ///< tasks per second of the whole group
  double load = 0; ///< instead of rate: share of the group's scheduling capacity

  friend bool operator==(const phase_settings&, const phase_settings&) = default;
};

/// A one-dimensional distribution, for durations (in s), sizes and the like.
struct distribution_settings {
  distribution_kind kind = distribution_kind::fixed;
  double value = 5;             ///< fixed: the value; exponential: the mean
  double mu = 0;                ///< lognormal
  double sigma = 1;             ///< lognormal
  std::vector<double> levels{}; ///< quantiles: rising from 0 to 1
  std::vector<double> values{}; ///< quantiles: one for each level
  double min = 0;
  double max = 1e9;

  friend bool operator==(const distribution_settings&, const distribution_settings&) = default;
};

/// One of several requests of tasks.
struct request_settings {
  double weight = 1; ///< how often, relative to the other requests
  double cpu = 0;    ///< cores
  double memory = 0; ///< GiB
  double gpu = 0;    ///< cards
  std::int32_t slots = 0;
  std::vector<std::string> constraints{}; ///< in addition to those of the workload

  friend bool operator==(const request_settings&, const request_settings&) = default;
};

struct trace_settings {
  trace_format format = trace_format::automatic;
  duration from{0};
  duration to{0}; ///< 0: to the end
  double speedup = 1;
  double duration_speedup = 1;
  double sample = 1; ///< share of the jobs
  std::uint32_t replicas = 1;
  duration jitter{0};
  duration max_duration{0}; ///< 0: no limit
  unfinished_kind unfinished = unfinished_kind::cut;
  duration horizon = std::chrono::hours{24};
  bool gangs = true;
  bool memory = false;
  bool think_times = false;
  processors_kind processors = processors_kind::requested;
  bool keep_times = false;

  friend bool operator==(const trace_settings&, const trace_settings&) = default;
};

/// The model of Lublin and Feitelson.
struct lublin_settings {
  lublin_jobs jobs = lublin_jobs::batch;
  std::uint32_t processors = 256;
  double interarrival_factor = 1;
  double duration_factor = 1;
  duration time_of_day{0}; ///< at which the run begins

  friend bool operator==(const lublin_settings&, const lublin_settings&) = default;
};

/// Jobs whose width their scheduler chooses.
struct moldable_settings {
  double share = 0;        ///< of the gangs
  double min_width = 0.25; ///< both as a multiple of the requested width
  double max_width = 4;
  speedup_kind speedup = speedup_kind::downey;
  double serial_fraction = 0.01;
  double parallelism = 2; ///< as a multiple of the requested width
  double sigma = 1;

  friend bool operator==(const moldable_settings&, const moldable_settings&) = default;
};

struct workload_settings {
  workload_kind kind = workload_kind::phases;
  arrival_kind arrivals = arrival_kind::constant;
  std::uint32_t bursts = 1; ///< burst: how many
  troupe::duration burst_start{0};
  troupe::duration burst_interval = std::chrono::seconds{10};
  std::vector<phase_settings> phases;
  distribution_settings duration{};
  bool duration_per_job = false;
  distribution_settings tasks_per_job{.value = 1};
  std::uint32_t stages = 1; ///< of a generated job, each of which waits for the one before
  std::uint64_t jobs = 0;   ///< stop after this number; 0: no limit
  /// The request of a task; all zero: one slot.
  double cpu = 0;
  double memory = 0;
  double gpu = 0;
  std::int32_t slots = 0;
  /// Requests, one drawn by weight per job; if given, they replace the four amounts above.
  std::vector<request_settings> requests;
  std::string tenant; ///< one of the tenants; empty: the first
  std::int32_t priority = 0;
  bool gang = false;
  std::uint32_t array_limit = 0; ///< 0: no limit
  bool spread = false;
  std::vector<std::string> constraints;
  double estimate_error = 0;
  estimate_kind estimates = estimate_kind::given;
  double estimate_factor = 2;
  bool kill_at_estimate = false;
  bool job_metrics = false;
  std::string task_class; ///< one of the task classes; empty: no preferences
  std::string file;       ///< trace
  std::string store;      ///< jobs: the address of a database; empty: a file of SQLite
  trace_settings trace;
  lublin_settings lublin;
  moldable_settings moldable;
  troupe::duration tick = std::chrono::milliseconds{1};

  friend bool operator==(const workload_settings&, const workload_settings&) = default;
};

} // namespace troupe
