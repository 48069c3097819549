#pragma once

#include <filesystem>
#include <string>

/// What the master of a cluster that grows keeps in its state directory: the beginning of the
/// cluster's time, and the places of its machines. A restarted master would else begin another
/// cluster, as it waits for no machine.
namespace troupe {

/// Replaces the file. A failure is logged: the cluster goes on without it.
void write_places(const std::filesystem::path& state, const std::string& bytes);

/// Returns what the file has; empty if there is none.
std::string read_places(const std::filesystem::path& state);

} // namespace troupe
