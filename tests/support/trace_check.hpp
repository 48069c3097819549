#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace troupe::test {

/// Checks a trace by the rules of its format, as Perfetto reads it: the members of each event, the
/// order of instants, slices of a track that nest, parts that end, arrows that come from somewhere,
/// names of all tracks. Returns what is wrong, 20 faults at most.
std::vector<std::string> faults_of(const nlohmann::json& trace);

} // namespace troupe::test
