#include "cluster_access.hpp"

#include "cluster_directory.hpp"
#include "commands.hpp"
#include "node_options.hpp"

#include <CLI/CLI.hpp>

namespace troupe {

void add_cluster_access(CLI::App& command, cluster_access& access) {
  auto* directory = command
                      .add_option("--cluster", access.directory,
                                  "The --dir of a 'troupe cluster up' that runs; default: cluster")
                      ->type_name("DIR");
  auto* at =
    command.add_option("--at", access.at, "Instead: where the node with the role master listens")
      ->type_name("HOST:PORT")
      ->excludes(directory);
  command
    .add_option("--certs", access.certs, "With --at: a directory with ca.crt, NAME.crt, NAME.key")
    ->type_name("DIR")
    ->needs(at);
  command.add_option("--as", access.as, "With --certs: which NAME; default: client")
    ->type_name("NAME")
    ->needs(at);
}

observer_options contact_of(const cluster_access& access) {
  observer_options options;
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

} // namespace troupe
