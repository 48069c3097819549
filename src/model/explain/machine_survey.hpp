#pragma once

#include "model/base/ids.hpp"
#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "model/cluster/catalog.hpp"
#include "model/jobs/job.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace troupe {

/// What can be against a machine for a task. A machine is counted under the first that applies.
enum class machine_check : std::uint8_t {
  too_small,   ///< even idle it has less than the task asks for
  no_match,    ///< it does not meet a constraint of the task
  other_share, ///< the scheduler may not use its partition
  absent,      ///< it is not in the cluster now, or has less than by the settings
  closed,      ///< a window of the machine begins before the task is expected to end
  job_there,   ///< another task of the job is there, and the job spreads
  no_room,     ///< it has too little free
  kept_away,   ///< it refused a task a short while ago
  fits,
};

inline constexpr std::size_t machine_checks = 9;

/// What somebody knows of a machine at some instant.
struct machine_facts {
  resources free;
  bool present = true;
  bool shared = true;     ///< the scheduler may use it
  bool closed = false;    ///< to the task, by a window
  bool job_there = false; ///< another task of the job is there
  bool kept_away = false;
  /// Units of work that wait there before a new task; machines with queues only.
  std::uint32_t waiting = 0;
};

/// A task, as far as machines are chosen by it.
struct machine_wish {
  resources demand;
  std::vector<constraint> constraints;
  std::uint32_t task_class = 0;
  bool spread = false;
};

/// The first check that a machine fails for a task.
struct machine_finding {
  machine_check check = machine_check::fits;
  resource lacks = resource::cpu; ///< too_small, no_room: the missing resource
  std::int32_t missing = 0;       ///< likewise: how much
  std::size_t unmet = 0;          ///< no_match: index of the constraint
  resources free;                 ///< as was known
  double score = 0;               ///< for the task's class
};

/// Examines one machine by the knowledge of one member.
machine_finding examine(const catalog& machines, const machine_wish& wish, machine_id machine,
                        const machine_facts& facts);

/// All machines of a cluster, each under the first check that it fails.
struct machine_survey {
  struct line {
    machine_check check = machine_check::fits;
    resource lacks = resource::cpu;   ///< too_small, no_room
    std::size_t unmet = 0;            ///< no_match
    std::uint32_t machines = 0;       ///< that fail this first
    std::vector<machine_id> examples; ///< three at most, lowest numbers first
  };
  struct ranked {
    machine_id machine = 0;
    double score = 0;
  };
  struct near_miss {
    machine_id machine = 0;
    resource lacks = resource::cpu;
    std::int32_t missing = 0;
  };

  std::uint32_t machines = 0;
  std::vector<line> lines;          ///< by check; they add up to `machines`
  std::vector<ranked> best;         ///< of those that fit: the three with the highest scores
  std::optional<near_miss> nearest; ///< the one that lacks the smallest share of the demand

  std::uint32_t count(machine_check check) const;
  std::uint32_t fits() const { return count(machine_check::fits); }
};

/// Examines all machines.
machine_survey survey(const catalog& machines, const machine_wish& wish,
                      const std::function<machine_facts(machine_id)>& facts);

/// How many of the machines that fit have a higher score than `score`.
std::uint32_t count_better(const catalog& machines, const machine_wish& wish, double score,
                           const std::function<machine_facts(machine_id)>& facts);

} // namespace troupe
