#pragma once

#include <spdlog/common.h>

#include <string>

/// What a node writes to its log about others that it turns away. They decide how often that is, so
/// only the first ten lines of a kind within ten seconds are written.
namespace troupe {

/// Writes "node NODE: TEXT", or counts it. `kind` names many of them: "connections that TLS
/// refuses".
void log_refusal(spdlog::level::level_enum level, const std::string& kind, const std::string& node,
                 const std::string& text);

/// Writes a line for each kind of which some have been left out in an interval that is over. To be
/// called now and then.
void sum_up_refusals(const std::string& node);

/// The same for all intervals: the process ends.
void sum_up_all_refusals(const std::string& node);

} // namespace troupe
