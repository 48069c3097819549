#pragma once

#include "model/live/live_state.hpp"
#include "nodes/routing/node_messages.hpp"
#include "settings/schema/settings.hpp"

#include <span>
#include <vector>

/// What the settings of a cluster and the orders of clients say about the policies of schedulers.
namespace troupe {

/// Returns whether a scheduler has a policy that can be changed: it places tasks on a view, by an
/// actor that is built in.
bool policy_can_change(const run_settings& settings, scheduler_id scheduler);

/// Returns the orders that give schedulers the policy that a client asks for, from `at` on; or why
/// that cannot be. Settings that the client does not name have the values of the settings of the
/// cluster for the scheduler's group. There is one order for all schedulers with equal values.
policy_reply plan_policies(const run_settings& settings, const policy_request& asked, instant at);

/// Returns when the settings changed the policy of a scheduler last, up to `now`; 0 if never.
instant last_planned_change(const run_settings& settings, scheduler_id scheduler, instant now);

/// Returns the policy of each scheduler at `now`.
std::vector<scheduler_policy> policies_at(const run_settings& settings,
                                          std::span<const policy_order> orders, instant now);

/// Returns the changes of whole groups, or of the pool, that the `orders` make, all orders so far
/// by time. Times are counted from `begin`; earlier ones are 0.
std::vector<policy_change_settings> changes_of_groups(const run_settings& settings,
                                                      std::span<const policy_order> orders,
                                                      instant begin);

/// Makes a description of the run name these policies, as a whole and for each group.
void name_policies(live_about& about, std::span<const scheduler_policy> all);

} // namespace troupe
