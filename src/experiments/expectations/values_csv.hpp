#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace troupe {

/// Returns the values of an experiment's `result.json` as CSV, for programs that draw them. One row
/// per run, in the order of the file, with these columns:
///   run     its name, as in "fine[10ms]"
///   series  the name without its varied values: "fine"; runs of a series belong to one line
///   x       the first of these values: a number, a time in s, or a text; empty if there are none
///   found   what a search found; empty for other runs
/// and for each column of the experiment its label with the mean over the seeds, and the label with
/// " ±" and half the width of the 95 % confidence interval, to six digits. Missing values are
/// empty.
std::string values_csv(const nlohmann::ordered_json& result);

} // namespace troupe
