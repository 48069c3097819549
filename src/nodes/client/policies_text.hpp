#pragma once

#include "model/base/choice.hpp"
#include "nodes/routing/node_messages.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Renders the policies of the schedulers of a cluster as text and as JSON.
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

/// The policy of a scheduler, and what has become of it.
struct policy_row {
  const scheduler_policy* policy = nullptr;
  policy_presence state = policy_presence::in_force;
  std::string node;    ///< where it lives; empty: on no connected node
  std::string why_not; ///< it keeps another one
};

/// Returns a row for each scheduler. They refer to `all`.
std::vector<policy_row> policy_rows(const cluster_report& all);

/// Returns the names of policies with the number of schedulers for which each is meant.
std::vector<std::pair<std::string, std::size_t>> policy_counts(const cluster_report& all);

/// Returns the same as text: "adaptive", "adaptive 8, best-fit 2".
std::string policies_line(const cluster_report& all);

/// Writes a table with a row for each number of schedulers, one after the other, that do not
/// differ.
void write_policies(std::ostream& out, const cluster_report& all);

nlohmann::ordered_json policies_json(const cluster_report& all);

/// Returns the settings of a policy as an object of texts.
nlohmann::ordered_json settings_json(const policy_choice& choice);

/// Returns the overrides of settings, "x.y=value" each, that give a run the policy which a client
/// has ordered for all schedulers that have one; none if they differ, or if there is no order.
std::vector<std::string> overrides_of(const std::vector<scheduler_policy>& policies);

/// Returns numbers as "0 to 3, 7".
std::string numbers_text(const std::vector<scheduler_id>& numbers);

} // namespace troupe
