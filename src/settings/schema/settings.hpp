#pragma once

#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "model/discipline/start_discipline.hpp"
#include "model/machine/queue_discipline.hpp"
#include "model/protocol/probing.hpp"
#include "model/records/record_level.hpp"
#include "policies/builtin_scheduler.hpp"
#include "policies/setting.hpp"
#include "settings/schema/choices.hpp"
#include "settings/schema/failures_settings.hpp"
#include "settings/schema/workload_settings.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// All settings of a run as plain structs with their defaults. fields.hpp has the meaning, unit and
/// range of each by name, and also drives reading, checking and printing.
namespace troupe {

/// Machines of one kind.
struct machine_class {
  std::string name = "default";
  double share = 1;  ///< this kind's part of all machines, relative to the other kinds'
  double cpu = 0;    ///< cores
  double memory = 0; ///< GiB
  double gpu = 0;    ///< cards
  std::int32_t slots = 0;
  std::map<std::string, std::string> attributes{};

  friend bool operator==(const machine_class&, const machine_class&) = default;
};

/// The distribution of the machines' scores.
struct score_settings {
  /// constant: exp(mu) everywhere
  score_distribution distribution = score_distribution::lognormal;
  double mu = 0;
  double sigma = 0.5;

  friend bool operator==(const score_settings&, const score_settings&) = default;
};

/// The replay of a trace's table of machines.
struct machine_trace_settings {
  std::string file; ///< empty: the machines are those of the settings
  trace_format format = trace_format::automatic;
  duration from{0};
  double speedup = 1;
  double sample = 1; ///< share of the machines
  bool churn = true;

  friend bool operator==(const machine_trace_settings&, const machine_trace_settings&) = default;
};

struct cluster_settings {
  std::uint32_t machines = 1000;
  std::int32_t slots = 2; ///< per machine, if there are no classes
  std::vector<machine_class> classes;
  std::uint32_t partitions = 100;
  std::uint32_t owners = 20;
  score_settings score;
  /// The amount that the sampling of machines counts as one place. All zero: one slot or, with
  /// classes without slots, one core with the memory per core of the cluster.
  double unit_cpu = 0;
  double unit_memory = 0;
  double unit_gpu = 0;
  std::int32_t unit_slots = 0;
  /// The amount for which free resources count as fragmented; all zero: the unit.
  double fragment_cpu = 0;
  double fragment_memory = 0;
  double fragment_gpu = 0;
  std::int32_t fragment_slots = 0;
  machine_trace_settings trace;
  std::string windows; ///< file of maintenance windows and advance reservations; empty: none

  friend bool operator==(const cluster_settings&, const cluster_settings&) = default;
};

struct sync_settings {
  sync_plan_kind plan = sync_plan_kind::partitioned;
  duration gap = std::chrono::seconds{1};
  std::uint32_t groups = 0; ///< sync groups per gap (M); 0: one for every scheduler

  friend bool operator==(const sync_settings&, const sync_settings&) = default;
};

/// An interval in which messages between two sides are lost.
struct cut_settings {
  duration from{0};
  duration to{0};
  std::string a = "*"; ///< "scheduler.3", "owner.*", "master", "*"
  std::string b = "*";

  friend bool operator==(const cut_settings&, const cut_settings&) = default;
};

struct network_settings {
  duration latency = std::chrono::microseconds{500};
  duration jitter{0};
  double loss = 0;
  duration machine_latency{0};
  std::vector<cut_settings> cuts;

  friend bool operator==(const network_settings&, const network_settings&) = default;
};

struct executor_settings {
  duration tick = std::chrono::milliseconds{1};

  friend bool operator==(const executor_settings&, const executor_settings&) = default;
};

struct owner_settings {
  duration report_interval = std::chrono::milliseconds{100};
  conflict_detection detection = conflict_detection::fine;
  duration hold_timeout = std::chrono::seconds{30};

  friend bool operator==(const owner_settings&, const owner_settings&) = default;
};

/// The settings that policies declare. Complete after reading.
struct policy_settings {
  setting_values shared;                     ///< of all built-in policies together
  std::map<std::string, setting_values> own; ///< of policies from plugins, by policy

  /// Returns the values for creating a policy.
  setting_values of(std::string_view policy) const;

  friend bool operator==(const policy_settings&, const policy_settings&) = default;
};

/// When and where a refused task is queued again.
struct retry_settings {
  retry_place at = retry_place::head;
  duration delay{0};
  double factor = 1;
  duration max_delay{0}; ///< 0: no limit
  double jitter = 0;
  bool wait_for_refresh = false;

  friend bool operator==(const retry_settings&, const retry_settings&) = default;
};

/// The settings of schedulers that probe machines.
struct sparrow_settings {
  troupe::probing probing = troupe::probing::late_binding;
  bool cancellation = true;
  double ratio = 2;
  bool adaptive_ratio = false;
  double ratio_min = 1;
  double ratio_max = 3;
  queue_discipline queue = queue_discipline::fifo;
  bool watch_machines = false;
  /// All machines at once would keep a scheduler from showing that it lives.
  std::uint32_t session_calls = 1000;

  friend bool operator==(const sparrow_settings&, const sparrow_settings&) = default;
};

/// The settings of groups with schedulers of both kinds.
struct hybrid_settings {
  duration cutoff = std::chrono::seconds{10};
  std::uint32_t long_schedulers = 1; ///< of each group
  double reserved = 0.1;             ///< share of the partitions
  std::uint32_t steal_attempts = 10;

  friend bool operator==(const hybrid_settings&, const hybrid_settings&) = default;
};

/// The weights of the factors that make a job's place in a queue of the order multifactor.
struct factor_settings {
  double age = 1;
  double size = 0;
  double share = 1;
  double priority = 1;
  duration max_age = std::chrono::hours{24 * 7};

  friend bool operator==(const factor_settings&, const factor_settings&) = default;
};

struct scheduler_settings {
  std::string actor = to_string(builtin_scheduler::placing); ///< or the name of one from a plugin
  std::string policy = "adaptive";
  duration t_job{0};
  duration t_task = std::chrono::microseconds{500};
  std::uint32_t batch = 10;
  std::uint32_t max_attempts = 0; ///< 0: never give up
  duration commit_timeout = std::chrono::seconds{2};
  bool preemption = false;
  duration aging{0}; ///< 0: priorities are strict
  sharing own_share = sharing::none;
  code_path_kind code_paths = code_path_kind::single; ///< for a pool
  std::uint32_t look_past = 0;
  start_discipline discipline = start_discipline::fit;
  start_order order = start_order::fcfs;
  width_rule width = width_rule::requested; ///< of moldable jobs
  factor_settings factors;
  bool preferences = true;
  bool own_ends = false;
  commit_kind commit = commit_kind::incremental;
  std::uint32_t max_empty_attempts = 0; ///< 0: never give up
  std::uint32_t candidates = 1;
  duration keep_away{0};
  retry_settings retry;
  std::map<std::string, setting_values> own{}; ///< of scheduler actors from plugins, by actor

  friend bool operator==(const scheduler_settings&, const scheduler_settings&) = default;
};

/// The offers of an allocator (two-level scheduling).
struct offers_settings {
  duration interval = std::chrono::seconds{1};
  duration filter = std::chrono::seconds{5};
  duration timeout{0}; ///< 0: never
  bool whole = false;
  std::uint32_t tasks = 0; ///< 0: no limit
  double hoard = 0;     ///< share of the cluster; 0: schedulers decline offers that are too small
  bool suppress = true; ///< schedulers with nothing to place are offered nothing

  friend bool operator==(const offers_settings&, const offers_settings&) = default;
};

/// The weight of a group's schedulers in the allocation of offers.
struct group_offers_settings {
  double weight = 1;

  friend bool operator==(const group_offers_settings&, const group_offers_settings&) = default;
};

/// A tenant of the cluster.
struct tenant_settings {
  std::string name = "all";
  double weight = 1;
  double min = 0; ///< shares of the cluster
  double max = 1;

  friend bool operator==(const tenant_settings&, const tenant_settings&) = default;
};

/// Tasks that prefer some machines to others.
struct task_class_settings {
  std::string name = "default";
  std::map<std::string, double> prefers{}; ///< weights of constraints

  friend bool operator==(const task_class_settings&, const task_class_settings&) = default;
};

/// Schedulers that share a load, a policy and a speed. Unset values are those of the top-level
/// [scheduler], [policy] and [workload].
struct group_settings {
  std::string name = "all";
  std::uint32_t schedulers = 0; ///< 0 before reading: all schedulers of the run
  scheduler_settings scheduler;
  policy_settings policy;
  workload_settings workload;
  group_offers_settings offers{};

  friend bool operator==(const group_settings&, const group_settings&) = default;
};

/// Libraries with additional policies and schedulers.
struct plugin_settings {
  std::vector<std::string> paths;

  friend bool operator==(const plugin_settings&, const plugin_settings&) = default;
};

/// Returns whether schedulers of an actor have a policy that can be changed.
inline bool has_policy(const scheduler_settings& s) {
  const auto kind = builtin_scheduler_of(s.actor);
  return kind == builtin_scheduler::placing || kind == builtin_scheduler::hybrid;
}

/// A change to another policy for the schedulers of a group at a given time.
struct policy_change_settings {
  duration at{0};
  std::string group{}; ///< empty: every group, or the pool
  std::string to{};
  policy_settings policy{};

  friend bool operator==(const policy_change_settings&, const policy_change_settings&) = default;
};

struct run_settings {
  std::string name = "run";
  architecture_kind architecture = architecture_kind::parsync;
  clock_kind clock = clock_kind::virtual_time;
  std::uint64_t seed = 1;
  duration length{0}; ///< 0: until the workload and all its tasks have ended
  duration interval = std::chrono::seconds{1};
  duration warmup{0};
  record_level records = record_level::none;
  std::uint32_t schedulers = 20;
  std::uint32_t pool = 0; ///< schedulers that serve all groups together; 0: each group has its own
  cluster_settings cluster;
  sync_settings sync;
  network_settings network;
  executor_settings executor;
  owner_settings owner;
  offers_settings offers;
  scheduler_settings scheduler;
  policy_settings policy;
  sparrow_settings sparrow;
  hybrid_settings hybrid;
  workload_settings workload;
  std::vector<task_class_settings> task_classes;
  std::vector<tenant_settings> tenants; ///< none: a single tenant
  std::vector<group_settings> groups;   ///< never empty after reading
  plugin_settings plugins;
  std::vector<policy_change_settings> policy_changes;
  failures_settings failures;
  faults_settings faults;
  chaos_settings chaos;

  /// Whether the jobs come from clients, and machines run their commands.
  bool runs_commands() const {
    return !groups.empty() && groups.front().workload.kind == workload_kind::jobs;
  }

  friend bool operator==(const run_settings&, const run_settings&) = default;
};

} // namespace troupe
