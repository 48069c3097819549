#include "cluster/node_options.hpp"

#include "commands/commands.hpp"
#include "nodes/connections/peer_check.hpp"
#include "nodes/registry/identity_text.hpp"
#include "security/certified_identity.hpp"
#include "security/error.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <sstream>

namespace troupe {

host_port read_address(const std::string& option, const std::string& text, bool any_port) {
  const auto colon = text.rfind(':');
  host_port at;
  const auto* end = text.data() + text.size();
  bool good = colon != std::string::npos && colon > 0;
  if (good) {
    at.host = text.substr(0, colon);
    const bool v6 = at.host.find(':') != std::string::npos;
    const bool in_brackets = at.host.starts_with('[') && at.host.ends_with(']');
    if (v6 != in_brackets)
      throw usage_error{option + " " + text + ": expected HOST:PORT, or [ADDRESS]:PORT for IPv6"};
    if (in_brackets)
      at.host = at.host.substr(1, at.host.size() - 2);
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, at.port);
    good = error == std::errc{} && stop == end && (any_port || at.port > 0) && is_host(at.host);
  }
  if (!good)
    throw usage_error{option + " " + text + ": expected HOST:PORT, with a port from " +
                      (any_port ? "0" : "1") + " to 65535"};
  return at;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in{text};
  for (std::string part; std::getline(in, part, ',');)
    parts.push_back(part);
  return parts;
}

std::set<std::string> read_roles(const std::string& text) {
  std::set<std::string> roles;
  for (const auto& role : split_at_commas(text)) {
    if (std::ranges::find(role_names, role) == role_names.end())
      throw usage_error{"--roles " + text + ": '" + role + "' is unknown; expected " +
                        known_roles_text()};
    roles.insert(role);
  }
  if (roles.empty())
    throw usage_error{"--roles: expected some of " + known_roles_text() + ", with commas between"};
  return roles;
}

run_settings cluster_settings_of(const settings_input& input) {
  auto with = input;
  with.overrides.push_back("clock=real");
  auto settings = read_input(with, settings_use::cluster);
  if (settings.faults.any())
    throw usage_error{input.file + ": [faults] are for runs in virtual time; expected none, as "
                                   "processes of nodes can be killed"};
  return settings;
}

std::optional<tls_files> credentials_of(const std::string& directory, const std::string& name,
                                        const std::set<std::string>& roles) try {
  if (directory.empty())
    return std::nullopt;
  const std::filesystem::path dir{directory};
  tls_files files{dir / (name + ".crt"), dir / (name + ".key"), dir / "ca.crt"};
  const auto own = check_tls_files(files, std::chrono::system_clock::now());
  if (const auto why = why_not_certified(name, roles, own.certified); !why.empty())
    throw usage_error{files.certificate.string() + ": " + why};
  return files;
} catch (const security_error& e) {
  throw usage_error{e.what()};
}

} // namespace troupe
