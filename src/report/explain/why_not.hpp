#pragma once

#include "model/explain/task_situation.hpp"
#include "report/explain/explain_names.hpp"
#include "report/explain/task_story.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// What was found out about a task at one instant, for `why-not`.
struct why_not_facts {
  task_id task;
  instant at{0};
  task_situation in;    ///< of place `unknown`: no scheduler has the job
  machine_survey truth; ///< all machines by the owners, or by themselves
  std::optional<machine_finding> asked_truth;
  std::uint32_t asked_waiting = 0;    ///< in the queue of the machine asked about
  std::optional<double> placed_per_s; ///< by the scheduler, lately
  bool probes = false;
  bool from_plugin = false; ///< the scheduler: its inside is unknown
  bool owner_lives = true;
  std::optional<machine_id> machine; ///< asked about
  /// The decision that placed it, if the question refers to this decision.
  std::shared_ptr<watched_pick> pick{};
  machine_id picked = no_machine;
  std::optional<task_fate> fate{};
};

enum class placing_verdict : std::uint8_t { never, not_now, soon, in_doubt, placed, over };

/// The answer to why a task is not on any machine, or not on one machine.
struct why_not_answer {
  placing_verdict says = placing_verdict::not_now;
  wait_reason why = wait_reason::none;
  std::vector<std::string> sentences; ///< the verdict first
};

/// Returns the answer; `directory` is named in the command that it ends with; empty: there is
/// none.
why_not_answer answer_why_not(const why_not_facts& facts, const catalog& machines,
                              const explain_names& names, const std::string& directory);

/// The members of `why-not --json`.
nlohmann::ordered_json why_not_json(const why_not_facts& facts, const why_not_answer& answer,
                                    const explain_names& names);

/// The name of a verdict, such as "not_now".
std::string_view name_of(placing_verdict says);

} // namespace troupe
