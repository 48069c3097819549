#pragma once

#include "report/page/html.hpp"
#include "report/page/runs/run_folder.hpp"

#include <span>
#include <string>
#include <vector>

namespace troupe {

/// One figure that answers how a run went.
struct headline_card {
  std::string title;
  std::string value;
  std::string note;
  bool bad = false; ///< to be looked at: a failed self-check
};

/// Returns the cards of a run.
std::vector<headline_card> cards_of(const run_folder& run);

/// Renders cards, or the cards of several runs as a table.
std::string headline_html(std::span<const run_folder> runs);

/// Describes a run and its end in one sentence.
std::string sentence_about(const run_folder& run);

/// Returns the age, in s, that no partition of a view exceeds; 0 if there is no such bound.
double staleness_bound_of(const run_folder& run);

} // namespace troupe
