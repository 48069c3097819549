#pragma once

#include "model/base/log.hpp"

#include <string>

/// A node's log lines about refused peers. Peers determine the number of these lines, so only the
/// first ten lines of a kind within ten seconds are written.
namespace troupe {

/// Writes "node NODE: TEXT", or counts it. `kind` names a group of lines: "connections that TLS
/// refuses".
void log_refusal(log::level level, const std::string& kind, const std::string& node,
                 const std::string& text);

/// Writes a line for each kind of which lines were left out in a past interval. Call it regularly.
void sum_up_refusals(const std::string& node);

/// The same for all intervals, at the end of the process.
void sum_up_all_refusals(const std::string& node);

} // namespace troupe
