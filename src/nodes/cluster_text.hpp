#pragma once

#include "nodes/node_messages.hpp"

#include <nlohmann/json_fwd.hpp>

#include <ostream>
#include <string>

/// What a cluster of nodes is like, for people and for programs.
namespace troupe {

/// The word for how a node is: "here", "draining", "gone".
std::string state_of(const node_entry& node);

/// Returns the last report of a node, or null if there is none yet.
const node_report* report_of(const cluster_report& all, const node_entry& node);

/// Returns whether nothing lives on a node any more that others would have to wait for: no owner,
/// no scheduler, no task.
bool is_empty(const node_report& report);

/// Returns what lives on a node, as "owner 1, 4; scheduler 2"; "-" if there is nothing. Longer
/// lists are counted: "12 owners".
std::string residents_text(const node_report& report);

/// Writes what goes on in at most 100 columns: nodes, machines, places, the workload.
void write_status(std::ostream& out, const cluster_report& all);

/// Writes a table with a row for each node; what is wider than `page` columns goes on below.
void write_nodes(std::ostream& out, const cluster_report& all,
                 std::size_t page = std::string::npos);

/// Both as JSON. Times are in s, counts of tasks as in `summary.json`; "failed" has those that
/// failed, were lost for good or abandoned.
nlohmann::ordered_json cluster_json(const cluster_report& all);

} // namespace troupe
