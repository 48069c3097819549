#pragma once

#include "inputs.hpp"
#include "nodes/run_node.hpp"

#include <optional>
#include <set>
#include <string>

/// What the commands that have to do with nodes take from the command line.
namespace troupe {

/// How many owners, and schedulers, a node can be that does not say so: all of them.
inline constexpr std::uint32_t default_places = 1'000'000;

/// Reads "HOST:PORT"; port 0 only where `any_port`. Throws `usage_error` that names the option.
host_port read_address(const std::string& option, const std::string& text, bool any_port);

/// Reads "master,owner". Throws `usage_error`.
std::set<std::string> read_roles(const std::string& text);

/// Reads the settings of a cluster of nodes: time is real there, and members show signs of life.
/// Throws `usage_error`.
run_settings cluster_settings_of(const settings_input& input);

/// Returns the files of a node or a client in a directory as `troupe certs` fills it, or none if
/// `directory` is empty. Throws `usage_error` if they are missing or cannot be used, or if the
/// certificate is not of that name or was not issued for all of `roles`.
std::optional<tls_files> credentials_of(const std::string& directory, const std::string& name,
                                        const std::set<std::string>& roles = {});

} // namespace troupe
