#include "node_options.hpp"

#include "commands.hpp"
#include "runtime/stage.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <sstream>

namespace troupe {

namespace {

constexpr const char* known_roles[] = {"master", "owner", "scheduler", "machine", "workload"};

} // namespace

host_port read_address(const std::string& option, const std::string& text, bool any_port) {
  const auto colon = text.rfind(':');
  host_port at;
  const auto* end = text.data() + text.size();
  bool good = colon != std::string::npos && colon > 0;
  if (good) {
    at.host = text.substr(0, colon);
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, at.port);
    good = error == std::errc{} && stop == end && (any_port || at.port > 0);
  }
  if (!good)
    throw usage_error{option + " " + text + ": expected HOST:PORT, with a port from " +
                      (any_port ? "0" : "1") + " to 65535"};
  return at;
}

std::set<std::string> read_roles(const std::string& text) {
  std::set<std::string> roles;
  std::istringstream in{text};
  for (std::string role; std::getline(in, role, ',');) {
    if (std::ranges::find(known_roles, role) == std::end(known_roles))
      throw usage_error{"--roles " + text + ": '" + role +
                        "' is none of master, owner, scheduler, machine, workload"};
    roles.insert(role);
  }
  if (roles.empty())
    throw usage_error{
      "--roles: expected some of master, owner, scheduler, machine, workload, with commas between"};
  return roles;
}

std::string check_node_name(const std::string& text) {
  const bool good =
    !text.empty() && text.size() <= 64 && text != "ca" &&
    std::ranges::all_of(
      text,
      [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; }) &&
    text.front() != '.' && text.front() != '-';
  return good ? "" : "'" + text + "' is no name of a node: 1 to 64 letters, digits, '-', '_', '.'";
}

run_settings cluster_settings_of(const settings_input& input) {
  auto with = input;
  with.overrides.push_back("clock=real");
  auto settings = read_input(with);
  if (settings.faults.any())
    throw usage_error{input.file + ": [faults] are for runs in virtual time; end the processes of "
                                   "nodes instead"};
  settings.failures.watch = "on";
  auto as_virtual = settings;
  as_virtual.clock = "virtual";
  if (const auto why = stage::why_not(as_virtual); !why.empty())
    throw usage_error{input.file + ": " + why};
  return settings;
}

node_credentials credentials_of(const std::string& directory, const std::string& name) {
  if (directory.empty())
    return {};
  const std::filesystem::path dir{directory};
  node_credentials files{(dir / (name + ".crt")).string(), (dir / (name + ".key")).string(),
                         (dir / "ca.crt").string()};
  for (const auto& f : {files.certificate, files.key, files.authority})
    if (!std::filesystem::exists(f))
      throw usage_error{f + ": there is no such file; troupe certs issue " + name +
                        " makes a node's certificate and key"};
  return files;
}

} // namespace troupe
