#pragma once

#include <filesystem>
#include <string>

/// The data that a node with the master or with a machine of a cluster that grows keeps in its
/// state directory: the beginning of the cluster's time, the place of its machine and, for the
/// master's node, the places of all machines. Without this file, a restarted master would begin
/// another cluster, since it waits for no machine, and a machine that is restarted together with
/// the master would get another place, and owners would wait for its earlier place.
namespace troupe {

/// Replaces the file. A failure is logged, and false returned: the cluster goes on without it.
bool write_places(const std::filesystem::path& state, const std::string& bytes);

/// Returns the contents of the file; empty if there is none.
std::string read_places(const std::filesystem::path& state);

} // namespace troupe
