#pragma once

#include <cstdlib>
#include <string_view>

namespace troupe {

/// Defects in the code that runs the commands of jobs, on all nodes of a cluster. Tests plant them
/// to check that trials of clusters find them: the variable TROUPE_PLANTED_FAULT of a node's
/// environment names one. Builds without TROUPE_CHECKS have none.
enum class command_fault : unsigned char {
  outlived_lease,    ///< a supervisor does not end its command when the lease is over
  adopted_as_lost,   ///< a node reports commands of its earlier process as lost, and they go on
  adopted_as_done,   ///< a node reports commands of its earlier process as done, and ends them
  doubled_start,     ///< a supervisor starts the command of an attempt twice
  unstored_attempt,  ///< the job service does not store the attempts that it grants
  early_release,     ///< the job service does not have groups wait for those before them
  unheeded_policy,   ///< a node confirms an order for the policy of a scheduler, and does nothing
  unstored_policies, ///< the job service does not store orders for policies
};

#ifdef TROUPE_CHECKS

inline bool planted(command_fault what) {
  constexpr std::string_view names[] = {"outlived_lease",  "adopted_as_lost",  "adopted_as_done",
                                        "doubled_start",   "unstored_attempt", "early_release",
                                        "unheeded_policy", "unstored_policies"};
  static const char* const now = std::getenv("TROUPE_PLANTED_FAULT");
  return now != nullptr && names[static_cast<unsigned char>(what)] == now;
}

#else

constexpr bool planted(command_fault) {
  return false;
}

#endif

} // namespace troupe
