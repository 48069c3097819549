#pragma once

#include <filesystem>
#include <string>

/// What a node with the master or with a machine of a cluster that grows keeps in its state
/// directory: the beginning of the cluster's time, the place of its machine, and the master's the
/// places of all. A restarted master would else begin another cluster, as it waits for no machine.
/// A machine that is restarted together with the master would else get another place, and owners
/// would wait for its earlier place.
namespace troupe {

/// Replaces the file. A failure is logged, and false returned: the cluster goes on without it.
bool write_places(const std::filesystem::path& state, const std::string& bytes);

/// Returns what the file has; empty if there is none.
std::string read_places(const std::filesystem::path& state);

} // namespace troupe
