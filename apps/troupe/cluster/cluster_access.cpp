#include "cluster/cluster_access.hpp"

#include "cluster/cluster_directory.hpp"
#include "cluster/node_options.hpp"
#include "commands/commands.hpp"

#include <CLI/CLI.hpp>

namespace troupe {

void add_cluster_access(CLI::App& command, cluster_access& access) {
  auto* directory = command
                      .add_option("--cluster", access.directory,
                                  "The --dir of a running 'troupe cluster up'; default: cluster")
                      ->type_name("DIR");
  auto* at =
    command.add_option("--at", access.at, "Instead: address of the node with the role master")
      ->type_name("HOST:PORT")
      ->excludes(directory);
  command
    .add_option("--certs", access.certs, "With --at: a directory with ca.crt, NAME.crt, NAME.key")
    ->type_name("DIR")
    ->needs(at);
  command.add_option("--as", access.as, "With --certs: the NAME; default: client")
    ->type_name("NAME")
    ->needs(at);
}

cluster_client_options contact_of(const cluster_access& access) {
  cluster_client_options options;
  if (!access.at.empty()) {
    options.at = read_address("--at", access.at, false);
    options.credentials = credentials_of(access.certs, access.as);
    return options;
  }
  const auto found = find_cluster(access.directory.empty() ? "cluster" : access.directory);
  options.at = found.at;
  options.credentials = credentials_of(found.certs.string(), found.as);
  return options;
}

client_files files_of(const cluster_access& access) {
  if (access.at.empty()) {
    const auto found = find_cluster(access.directory.empty() ? "cluster" : access.directory);
    return {found.certs, found.as};
  }
  if (access.certs.empty())
    throw usage_error{"--tls with --at needs --certs, a directory with ca.crt, NAME.crt, NAME.key"};
  return {access.certs, access.as};
}

} // namespace troupe
