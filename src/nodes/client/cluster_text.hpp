#pragma once

#include "model/base/choice.hpp"
#include "nodes/routing/node_messages.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

/// Renders the state of a cluster of nodes as text and as JSON.
namespace troupe {

/// Whether a node is in the cluster.
enum class node_presence : std::uint8_t { here, draining, gone };

template <>
struct choice_names<node_presence> {
  static constexpr std::array<std::string_view, 3> value{"here", "draining", "gone"};
};

node_presence state_of(const node_entry& node);

/// Returns the last report of a node, or null if there is none yet.
const node_report* report_of(const cluster_report& all, const node_entry& node);

/// Returns whether a node has no owner, no scheduler and no task any more, so that it may leave.
bool is_empty(const node_report& report);

/// Returns the members on a node, as "owner 1, 4; scheduler 2"; "-" if there are none. Longer lists
/// are counted: "12 owners".
std::string residents_text(const node_report& report);

/// Writes the state in at most 100 columns: nodes, machines, places, the workload.
void write_status(std::ostream& out, const cluster_report& all);

/// Writes a table with a row for each node; columns beyond `page` continue below.
void write_nodes(std::ostream& out, const cluster_report& all,
                 std::size_t page = std::string::npos);

/// Returns both as JSON. Times are in s. Counts of tasks are as in `summary.json`; "failed"
/// includes tasks that were lost for good or abandoned.
nlohmann::ordered_json cluster_json(const cluster_report& all);

} // namespace troupe
