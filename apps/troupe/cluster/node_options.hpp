#pragma once

#include "nodes/agent/run_node.hpp"
#include "support/inputs.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

/// Parts of the command line that the commands for nodes share.
namespace troupe {

/// The default for the owners, and schedulers, that a node can have: no limit in practice.
inline constexpr std::uint32_t default_places = 1'000'000;

/// Parses "HOST:PORT"; port 0 only if `any_port`. Throws `usage_error` that names the option.
host_port read_address(const std::string& option, const std::string& text, bool any_port);

/// Returns the parts of a text between its commas.
std::vector<std::string> split_at_commas(const std::string& text);

/// Parses "master,owner". Throws `usage_error`.
std::set<std::string> read_roles(const std::string& text);

/// Reads the settings of a cluster of nodes: in real time, with failures watched. Throws
/// `usage_error`.
run_settings cluster_settings_of(const settings_input& input);

/// Returns the files of a node or a client in a directory that `troupe certs` has filled, or none
/// if `directory` is empty. Throws `usage_error` if they are missing or cannot be used, or if the
/// certificate was issued for another name or not for all of `roles`.
std::optional<tls_files> credentials_of(const std::string& directory, const std::string& name,
                                        const std::set<std::string>& roles = {});

} // namespace troupe
