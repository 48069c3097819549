#pragma once

#include "actors/run_record.hpp"
#include "policies/policy_choice.hpp"
#include "settings/settings.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Where schedulers get their policies from.
namespace troupe {

using policy_maker = std::function<std::unique_ptr<placement_policy>(const policy_choice&)>;

/// Returns what makes the policies of a run; it gives nothing for names that nobody has registered.
/// What is built in is handed out as it is; around a plugin's policy stands a guard, and a fault
/// ends the run: it becomes the error of `record`.
policy_maker policies_for(const std::shared_ptr<run_record>& record);

/// Returns what the schedulers of a group, or of the pool, change to, and when.
std::vector<std::pair<instant, policy_choice>> changes_of(const group_settings& group,
                                                          const run_settings& settings);

/// Returns what of `changes` happened until `end`, group by group, in order of time.
std::vector<policy_change_info> changes_made(std::span<const policy_change_settings> changes,
                                             const run_settings& settings, instant end);

/// Returns the changes that turn the policies of a run, as `before`, into those of `after`, groups
/// taken by name.
std::vector<policy_change_settings> differences(const run_settings& before,
                                                const run_settings& after, instant at);

} // namespace troupe
