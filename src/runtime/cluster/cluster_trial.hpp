#pragma once

#include "model/metrics/results.hpp"

#include <string>
#include <string_view>
#include <vector>

/// The test kit of scheduler actors: whole clusters, in virtual time, as far as a test asks.
namespace troupe {

/// Runs the cluster that the settings in `toml` describe, in virtual time, until its workload and
/// every task have ended, or its duration is over. `overrides` are "key=value" each, as after
/// --set. Throws `settings_error` if they are wrong, and `std::runtime_error` if the run fails, for
/// example by a fault of a plugin.
run_results try_cluster(std::string_view toml, const std::vector<std::string>& overrides = {});

/// Returns the self-checks that have failed, "name: detail" each.
std::vector<std::string> failed_checks(const run_results& results);

/// Returns how many tasks of all schedulers went where, at the end.
task_counts tasks_of(const run_results& results);

/// Returns all measurements of a run that do not depend on the host: equal texts mean equal
/// results.
std::string results_text(const run_results& results);

/// Lets libraries with scheduler actors be loaded. To be called before the first one is.
void enable_scheduler_plugins();

} // namespace troupe
