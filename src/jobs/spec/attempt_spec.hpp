#pragma once

#include "jobs/protocol/work_exchange.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// What a machine has to know to run an attempt. Standard input is empty.
struct attempt_spec {
  attempt_key which;
  std::vector<std::string> argv;          ///< at least the program
  std::map<std::string, std::string> env; ///< in addition to the node's own environment for tasks
  std::string dir;                        ///< working directory; empty: one of the attempt's own
  std::int64_t time_limit_ms = 0;         ///< 0: none
  std::int64_t grace_ms = 0;              ///< between SIGTERM and SIGKILL
  std::int64_t lease_ms = 0;              ///< 0: forever
  std::int64_t output_limit_bytes = 0;    ///< of each of stdout and stderr; 0: none
  double cpu = 0;                         ///< cores; 0: not limited
  std::int64_t memory_bytes = 0;          ///< 0: not limited
  std::int32_t gpu_milli = 0;             ///< of its machine's, in thousandths of a card
  std::int32_t slots = 0;                 ///< likewise

  friend bool operator==(const attempt_spec&, const attempt_spec&) = default;
};

/// Sets the variables that identify a command to itself: TROUPE_JOB, TROUPE_TASK, TROUPE_ATTEMPT,
/// TROUPE_TASK_ID ("JOB.TASK"); and TROUPE_ENTRY unless `entry` is null.
void add_task_names(attempt_spec& spec, const std::string* entry);

/// Renders a specification as JSON on one line. All texts have to be UTF-8.
std::string to_json(const attempt_spec& spec);

/// Reads the output of `to_json`. Throws `std::invalid_argument` with the faulty member otherwise.
attempt_spec read_attempt_spec(std::string_view json);

} // namespace troupe
