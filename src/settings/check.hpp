#pragma once

#include "settings/problems.hpp"
#include "settings/settings.hpp"

#include <string>

namespace troupe {

/// Reports where complete settings contradict themselves, each value being in its own range. The
/// document that `found` belongs to must be the one that `s` was read from.
void check_settings(const run_settings& s, problems& found);

/// The part of it that concerns the machines.
void check_cluster(const cluster_settings& s, problems& found);

/// The part of it that concerns who may place tasks where.
void check_sharing(const run_settings& s, problems& found);

/// The part of it that concerns the classes of tasks.
void check_task_classes(const run_settings& s, problems& found);

/// The part of it that concerns the load of one group of schedulers. `prefix` is "groups.N." or,
/// for the one group of a run that gives none, empty.
void check_workload_settings(const workload_settings& s, const cluster_settings& cluster,
                             const std::string& prefix, problems& found);

/// The part of it that concerns how the schedulers of one group commit and try again.
void check_scheduler_settings(const group_settings& group, const run_settings& run,
                              const std::string& prefix, problems& found);

/// The part of it that concerns policies: that each can be made with its settings, and may be
/// changed to.
void check_policies(const run_settings& s, problems& found);

/// The part of it that concerns schedulers that probe machines.
void check_sparrow(const run_settings& s, problems& found);

/// The part of it that concerns what fails and how that is noticed.
void check_failures(const run_settings& s, problems& found);

} // namespace troupe
