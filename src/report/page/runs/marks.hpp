#pragma once

#include "report/page/runs/run_folder.hpp"

#include <string>
#include <vector>

namespace troupe {

/// An instant of a run that the plots over time mark.
struct run_mark {
  double at_s = 0;
  std::string kind; ///< "phase", "failure", "end", "takeover", "policy" or "node"
  std::string text;
  bool of_machine = false; ///< a machine of many: marked without its number
};

/// Returns the beginnings of phases, failures, their ends, takeovers, changes of policies, and
/// nodes that join or leave, by time.
std::vector<run_mark> marks_of(const run_folder& run);

} // namespace troupe
