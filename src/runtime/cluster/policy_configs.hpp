#pragma once

#include "actors/recorder/run_record.hpp"
#include "policies/policy_choice.hpp"
#include "settings/schema/settings.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Where schedulers get their policies from.
namespace troupe {

using policy_maker = std::function<std::unique_ptr<placement_policy>(const policy_choice&)>;

/// Returns the function that makes the policies of a run; it returns null for names that are not
/// registered. It returns built-in policies as they are, and checks those of plugins: a fault
/// of a plugin becomes the error of `record` and ends the run.
policy_maker policies_for(const std::shared_ptr<run_record>& record);

/// Returns the policy changes for the schedulers of a group, or of the pool, with their times.
std::vector<std::pair<instant, policy_choice>> changes_of(const group_settings& group,
                                                          const run_settings& settings);

/// Returns the changes that happened until `end`, one for each group, in the order of time.
std::vector<policy_change_info> changes_made(std::span<const policy_change_settings> changes,
                                             const run_settings& settings, instant end);

/// Returns the changes that turn the policies of a run, as `before`, into those of `after`, groups
/// taken by name.
std::vector<policy_change_settings> differences(const run_settings& before,
                                                const run_settings& after, instant at);

} // namespace troupe
