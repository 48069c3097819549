#pragma once

#include "nodes/execution/inspect_work.hpp"
#include "nodes/registry/gateway_connections.hpp"

#include <caf/result.hpp>

#include <cstdint>
#include <optional>

namespace troupe {

/// Passes a report of a node with machines on to the job service, which is on the node with the
/// workload, and returns its answer. Reports of other nodes are taken from the nodes themselves
/// only.
caf::result<work_answer> tell_service(gateway_pointer self, const work_report& report);

/// The job service of this node has answered the question with that number; with nothing if it
/// cannot.
void take_work_answer(gateway_pointer self, std::uint64_t number,
                      std::optional<work_answer> answer);

/// Returns the output of a command on this node, or on another one.
caf::result<output_reply> find_output(gateway_pointer self, const output_request& asked);

} // namespace troupe
