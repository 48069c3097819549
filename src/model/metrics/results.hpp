#pragma once

#include "model/base/choice.hpp"
#include "model/base/clock_kind.hpp"
#include "model/metrics/metrics.hpp"
#include "model/metrics/partition_series.hpp"
#include "model/metrics/scheduler_series.hpp"
#include "model/protocol/offers.hpp"
#include "model/records/record_level.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

/// The properties of a scheduler group that appear in the results.
struct group_info {
  std::string name;
  std::string policy;
  std::uint32_t schedulers = 0; ///< number that serve it, possibly together with other groups
};

/// A stretch of the run with a summary of its own.
struct phase_info {
  instant from{0};
  instant to{0};
};

/// One interval (a second, unless set otherwise) of one scheduler group.
struct interval_record {
  instant from{0};
  instant to{0};
  std::uint32_t group = 0;
  scheduler_sample sample;
  double utilization = 0; ///< share of the whole cluster's capacity in use, mean over the interval
  resource_uses resources{}; ///< of the whole cluster, over the interval
  offer_sample offers{};     ///< to the group's schedulers, if there is an allocator
};

/// A tenant that shares the cluster.
struct tenant_info {
  std::string name;
  double weight = 1;
  double min = 0; ///< shares of the cluster
  double max = 1;
  std::vector<std::uint32_t> groups; ///< groups whose jobs belong to it
};

/// The use by one tenant in one interval, as dominant shares of the cluster's capacity.
struct tenant_record {
  instant from{0};
  instant to{0};
  std::uint32_t tenant = 0;
  double mean = 0; ///< over the interval
  double last = 0; ///< at its end
};

/// One invariant, checked over the whole run.
struct self_check {
  std::string name;
  bool passed = false;
  std::string detail; ///< the figures that it compares
};

/// Facts that depend on the host of the run.
struct host_info {
  double wall_seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::string version; ///< of Troupe
};

/// A change of the policy of a group's schedulers.
struct policy_change_info {
  instant at{0};
  std::uint32_t group = 0;
  std::string from;
  std::string to;
};

/// The kinds of failures, with their names in the settings, and of other events of a run or a
/// cluster.
enum class run_event_kind : std::uint8_t {
  kill,
  freeze,
  drain,
  cut,
  loss,
  delay,
  end,
  takeover,
  policy,
  node_lost,
  node_back,
  node_joined,
  node_draining,
  node_left
};

template <>
struct choice_names<run_event_kind> {
  static constexpr std::array<std::string_view, 14> value{
    "kill",     "freeze", "drain",     "cut",       "loss",        "delay",         "end",
    "takeover", "policy", "node lost", "node back", "node joined", "node draining", "node left"};
};

/// A failure in a run, its end, or the replacement of a member; in a cluster also an event of a
/// node.
struct run_event {
  instant at{0};
  run_event_kind event = run_event_kind::kill;
  std::string member; ///< such as "owner.2", the name of a node, or the two sides of a link
  std::string detail; ///< of an end: of what; of a takeover: who takes over; of a node: with what
};

class parallel_jobs;
class run_sums;

/// All measurements of a run: the source of every report.
struct run_results {
  std::string name;
  std::string architecture;
  std::string policy; ///< of the groups, joined by "+" if they differ
  clock_kind clock = clock_kind::virtual_time;
  std::uint64_t seed = 0;
  duration simulated{0};
  bool interrupted = false; ///< ended early by a signal
  std::vector<group_info> groups;
  /// Number of schedulers that serve all groups together; 0: each group has its own.
  std::uint32_t pool = 0;
  std::vector<phase_info> phases;
  /// By time, then by group. A run does not keep them, but passes them on at once: see `sums`.
  std::vector<interval_record> series;
  std::filesystem::path series_file; ///< the file to which the rows were written; may be empty
  std::vector<tenant_info> tenants;  ///< empty if there is a single one
  std::vector<tenant_record> shares; ///< likewise, by tenant
  std::filesystem::path shares_file;
  std::vector<scheduler_row> schedulers;     ///< by time, then by scheduler; thinned
  std::vector<partition_row> partitions;     ///< by time, then by partition; thinned
  record_level records = record_level::none; ///< what is recorded of jobs and tasks
  std::vector<std::string> task_classes;     ///< their names; class 0 has none and is not here
  /// The files to which records were written, with the names that they are to have.
  std::vector<std::pair<std::string, std::filesystem::path>> record_files;
  std::shared_ptr<const run_sums> sums;            ///< of all rows; null: use `series` and `shares`
  std::shared_ptr<const parallel_jobs> parallel{}; ///< null: not measured
  std::uint64_t messages = 0; ///< messages handled by actors; 0 if they are not counted
  double utilization_max = 0; ///< greatest of the intervals' utilizations
  std::uint64_t machines = 0;
  bool has_offers = false; ///< whether there was an allocator
  offer_sample offers;     ///< to all schedulers
  queue_counts queues;     ///< of the machines' queues, if any
  /// Rows of a trace that were left out, by reason.
  std::map<std::string, std::uint64_t> skipped_rows;
  duration moved{0}; ///< how much earlier jobs are submitted than in their trace
  std::vector<policy_change_info> policy_changes; ///< by time
  /// The number of failures by sort, such as "kill machine"; empty without failures.
  std::map<std::string, std::uint64_t> failures;
  std::vector<run_event> events; ///< by time; empty unless failures are watched
  std::vector<self_check> checks;
  host_info host;
};

} // namespace troupe
