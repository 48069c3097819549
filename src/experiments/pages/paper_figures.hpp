#pragma once

#include "experiments/expectations/experiment.hpp"
#include "experiments/processes/execute.hpp"
#include "report/page/page.hpp"

#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Returns the figures of an experiment: the values of its runs, and the paper's values of the
/// same. Runs without values are left out.
std::vector<figure> paper_figures(const experiment& e, std::span<const run_result> results);

/// Returns the lines that the paper states in the plots over time of `runs`.
std::vector<page_line> paper_lines(std::span<const paper_line> lines,
                                   std::span<const run_folder> runs);

/// Returns a table of these lines for readers; empty if there are none.
html_table paper_table(std::span<const page_line> lines, std::span<const run_folder> runs);

/// Returns the paper's values as CSV: a row for each line, with its span, and for each point of a
/// figure. For programs that draw pictures.
std::string paper_csv(const experiment& e, std::span<const run_result> results);

} // namespace troupe
