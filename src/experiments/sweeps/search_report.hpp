#pragma once

#include "experiments/processes/execute.hpp"
#include "experiments/sweeps/value_table.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Returns one sentence for each contradiction between the values that a search tried and the
/// assumption of bisection, that the goal is nearer with every greater value. With several seeds,
/// values whose 95 % intervals overlap are no contradiction; with one seed, a difference of a
/// twentieth of the whole variation is none.
std::vector<std::string> contradictions(const run_result& search);

/// Returns the result of a search in one sentence.
std::string outcome_text(const run_result& search);

/// Returns the values that a search tried, in their order, with the values of the goal at each.
value_table steps_table(const run_result& search);

/// Returns one step as "cluster.machines = 24000: holds, scheduling_delay_s.mean = 0.5 ± 0.1".
std::string step_text(const planned_run& plan, const search_step& step);

/// Returns one row for each search, with columns that do not depend on the goals.
value_table searches_table(std::span<const run_result> searches);

nlohmann::ordered_json searches_json(std::span<const run_result> searches);

} // namespace troupe
