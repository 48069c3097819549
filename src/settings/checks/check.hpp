#pragma once

#include "settings/checks/problems.hpp"
#include "settings/schema/settings.hpp"

#include <string>

namespace troupe {

/// Reports contradictions between complete settings; each value is already in its own range.
/// `found` must belong to the document from which `s` was read.
void check_settings(const run_settings& s, problems& found);

/// Checks a name that is a cell of the results and of the records.
void check_label(const std::string& name, const std::string& path, problems& found);

/// Checks the machines.
void check_cluster(const cluster_settings& s, problems& found);

/// Checks which schedulers may place tasks on which machines.
void check_sharing(const run_settings& s, problems& found);

/// Checks the classes of tasks.
void check_task_classes(const run_settings& s, problems& found);

/// Checks the load of one group of schedulers. `prefix` is "groups.N." or, for the single group of
/// a run without [[groups]], empty.
void check_workload_settings(const workload_settings& s, const cluster_settings& cluster,
                             duration length, const std::string& prefix, problems& found);

/// Checks the commits and retries of the schedulers of one group.
void check_scheduler_settings(const group_settings& group, const run_settings& run,
                              const std::string& prefix, problems& found);

/// Checks the policies: that each can be created with its settings, and that changes of policies
/// are possible.
void check_policies(const run_settings& s, problems& found);

/// Checks the schedulers that probe machines.
void check_sparrow(const run_settings& s, problems& found);

/// Checks the failures and their detection.
void check_failures(const run_settings& s, problems& found);

} // namespace troupe
