#pragma once

#include "failures/fault_trial.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace troupe::trials {

/// Returns whether all tasks have run once, the self-checks passed, and a node that left ended
/// well.
bool is_good(const trial_figures& figures);

/// Returns the head of a table of rows, in Markdown.
std::string table_head();

std::string table_row(const fault_row& row, const trial_figures& figures);

/// Returns the figures as an object of failures.json.
nlohmann::ordered_json to_json(const std::string& architecture, const fault_row& row,
                               const trial_figures& figures);

} // namespace troupe::trials
