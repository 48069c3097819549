#pragma once

#include "model/base/choice.hpp"
#include "nodes/routing/node_messages.hpp"

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the policies of the schedulers of a cluster are, and how they look as text.
namespace troupe {

/// Whether a scheduler has the policy that is meant for it.
enum class policy_presence : std::uint8_t {
  in_force, ///< it has
  pending,  ///< its node has not confirmed the order of a client yet
  refused,  ///< it keeps another one
  away,     ///< it is on no connected node; it has the policy when it is back
};

template <>
struct choice_names<policy_presence> {
  static constexpr std::array<std::string_view, 4> value{"in force", "pending", "refused", "away"};
};

/// The policy of a scheduler, and the state of the order for it.
struct policy_row {
  scheduler_policy policy;
  policy_presence state = policy_presence::in_force;
  std::string node;    ///< where it lives; empty: on no connected node
  std::string why_not; ///< it keeps another one
};

/// The policies of all schedulers at an instant of the cluster's time.
struct policy_table {
  instant now{0};
  std::vector<policy_row> rows; ///< one for each scheduler; none: the cluster has not begun
};

policy_table policies_of(const cluster_report& all);

/// Returns the names of policies with the number of schedulers for which each is meant.
std::vector<std::pair<std::string, std::size_t>> policy_counts(const cluster_report& all);

/// Returns the same as text: "adaptive", "adaptive 8, best-fit 2".
std::string policies_line(const cluster_report& all);

/// Writes a table with a row for each number of schedulers, one after the other, that do not
/// differ.
void write_policies(std::ostream& out, const policy_table& all);

/// Returns the overrides of settings, "x.y=value" each, that give a run the policy which a client
/// has ordered for all schedulers that have one; none if they differ, or if there is no order.
std::vector<std::string> overrides_of(const std::vector<policy_row>& policies);

/// Returns numbers as "0 to 3, 7".
std::string numbers_text(const std::vector<scheduler_id>& numbers);

} // namespace troupe
