#pragma once

#include "model/metrics.hpp"
#include "model/offers.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// One scheduler group, as far as the results tell of it.
struct group_info {
  std::string name;
  std::string policy;
  std::uint32_t schedulers = 0; ///< that serve it, maybe in common with other groups
};

/// A stretch of the run that the results summarise on its own.
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
  offer_sample offers{};     ///< to the group's schedulers, where there is an allocator
};

/// One of those who share the cluster.
struct tenant_info {
  std::string name;
  double weight = 1;
  double min = 0; ///< shares of the cluster
  double max = 1;
  std::vector<std::uint32_t> groups; ///< whose jobs are its
};

/// What one tenant used in one interval, as dominant shares of the cluster's capacity.
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
  std::string detail; ///< the figures that decided it
};

/// Whatever depends on the machine that the run was made on.
struct host_info {
  double wall_seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::string version; ///< of Troupe
};

/// The schedulers of a group took another policy.
struct policy_change_info {
  instant at{0};
  std::uint32_t group = 0;
  std::string from;
  std::string to;
};

class run_sums;

/// Everything that a run measured: what every report is made from.
struct run_results {
  std::string name;
  std::string architecture;
  std::string policy; ///< the groups' policies, joined by "+" where they differ
  std::string clock;  ///< "virtual" or "real"
  std::uint64_t seed = 0;
  duration simulated{0};
  bool interrupted = false; ///< ended by a signal before its time
  std::vector<group_info> groups;
  std::uint32_t pool = 0; ///< schedulers that serve all groups in common; 0: each has its own
  std::vector<phase_info> phases;
  /// By time, then by group. A run keeps none, but passes them on as they come: see `sums`.
  std::vector<interval_record> series;
  std::filesystem::path series_file; ///< where they were written meanwhile, if they were
  std::vector<tenant_info> tenants;  ///< none if there is a single one
  std::vector<tenant_record> shares; ///< likewise, by tenant
  std::filesystem::path shares_file;
  std::shared_ptr<const run_sums> sums; ///< of all rows; null: `series` and `shares` have them
  std::uint64_t messages = 0;           ///< messages that actors handled; 0 where nobody counts
  double utilization_max = 0;           ///< greatest of the intervals' utilizations
  std::uint64_t machines = 0;
  bool has_offers = false; ///< whether there was an allocator
  offer_sample offers;     ///< to all schedulers
  queue_counts queues;     ///< of the machines' queues, if they have any
  /// Rows of a trace that were left out, by reason.
  std::map<std::string, std::uint64_t> skipped_rows;
  duration moved{0}; ///< how much earlier jobs are submitted than their trace says
  std::vector<policy_change_info> policy_changes; ///< by time
  /// How many failures of which sort there were, such as "kill machine"; empty where nothing fails.
  std::map<std::string, std::uint64_t> failures;
  std::vector<self_check> checks;
  host_info host;
};

} // namespace troupe
