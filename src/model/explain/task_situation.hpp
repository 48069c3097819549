#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/explain/machine_survey.hpp"
#include "model/explain/wait_reason.hpp"
#include "model/records/records.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace troupe {

/// Where a task stands in a queue.
struct queue_position {
  std::uint64_t ahead = 0;  ///< tasks that are decided on before it, as the queue is now
  std::uint64_t higher = 0; ///< of these, tasks of higher priority
  bool tenant_waits = false;
};

/// Where a task of one scheduler is at one instant, and why.
struct task_situation {
  enum class place : std::uint8_t { unknown, waits, in_commit, running, over };

  place where = place::unknown;
  wait_reason why = wait_reason::none;
  scheduler_id scheduler = no_scheduler;
  instant since = no_instant;      ///< waits: from when on; in commit: sent
  instant until = no_instant;      ///< of a back-off
  queue_position queue{};          ///< if it is in the queue
  std::uint32_t tasks = 1;         ///< of its gang
  double share = 0;                ///< of its tenant; 0 if there is a single one
  machine_id machine = no_machine; ///< in commit, running, or sent
  owner_id owner = no_scheduler;   ///< in commit
  bool sent_again = false;         ///< likewise
  machine_wish wish;
  std::uint32_t tenant = 0;
  std::int32_t priority = 0;
  std::optional<machine_survey> seen; ///< by the view, of a task that waits; none without a view
  duration freshest = unknown_time;   ///< ages of the view
  duration oldest = unknown_time;
  std::optional<duration> asked_age; ///< of the machine that was asked about
  std::optional<machine_finding> asked_seen;
  std::vector<machine_id> machines{}; ///< with reservations for its job
};

} // namespace troupe
