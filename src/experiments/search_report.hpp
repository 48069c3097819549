#pragma once

#include "experiments/execute.hpp"
#include "experiments/value_table.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Returns where the values that a search tried contradict what bisection takes for granted, that
/// the goal comes nearer with every greater value: one sentence each, none if nowhere. With several
/// seeds, values whose 95 % intervals overlap contradict nothing; with one, a difference of a
/// twentieth of all that was seen does not.
std::vector<std::string> contradictions(const run_result& search);

/// Returns what came of a search, in one sentence.
std::string outcome_text(const run_result& search);

/// Returns the values that a search tried, in their order, and what the goal's values were there.
value_table steps_table(const run_result& search);

/// Returns one step as "cluster.machines = 24000: holds, scheduling_delay_s.mean = 0.5 ± 0.1".
std::string step_text(const planned_run& plan, const search_step& step);

/// Returns one row for each search, in columns that do not depend on the goals.
value_table searches_table(std::span<const run_result> searches);

nlohmann::ordered_json searches_json(std::span<const run_result> searches);

} // namespace troupe
