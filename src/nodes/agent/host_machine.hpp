#pragma once

#include "model/cluster/machine_description.hpp"

#include <cstdint>
#include <filesystem>

namespace troupe {

/// Returns this host as a machine, within the limits of this process:
///
/// - cpu: the cores that the process may run on, at most the quota of its control group;
/// - memory: that of the host, at most the limit of its control group;
/// - gpu: the cards that NVIDIA's driver shows;
/// - slots: one for each whole core, one at least;
/// - attributes: "arch" as of `uname -m`, "os" as "debian-12".
///
/// Files are read below `root` (`etc/os-release`, `proc/meminfo`, `sys/fs/cgroup`, `dev`);
/// `cores` 0: as many as the scheduler of the host lets it use. Throws `std::runtime_error` with a
/// message for the user if the memory cannot be found.
machine_description describe_host(const std::filesystem::path& root = "/", std::uint32_t cores = 0);

} // namespace troupe
