#include "cluster/policy_line.hpp"

#include "commands/commands.hpp"
#include "nodes/client/policies_json.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace troupe {

namespace {

class line_of_nodes final : public policy_line {
public:
  explicit line_of_nodes(const cluster_access& access) : client_(contact_of(access)) {}

  policy_table policies() override { return policies_of(client_.status()); }
  policy_reply change(const policy_request& asked) override {
    return client_.change_policies(asked);
  }

private:
  cluster_client client_;
};

/// What the cluster refuses is thrown by `job_api`.
class line_of_api final : public policy_line {
public:
  explicit line_of_api(const api_access& access) : api_(access) {}

  policy_table policies() override {
    return reading([&] { return read_policies(api_.policies()); });
  }
  policy_reply change(const policy_request& asked) override {
    return reading([&] {
      return policy_reply{
        read_orders(api_.change_policies(request_json(asked).dump()).at("changes")), "", false};
    });
  }

private:
  template <class Read>
  auto reading(Read read) -> decltype(read()) {
    try {
      return read();
    } catch (const policy_json_error& e) {
      throw no_answer{std::string{"policy: "} + e.what()};
    } catch (const nlohmann::json::exception& e) {
      throw no_answer{std::string{"policy: the answer has no changes: "} + e.what()};
    }
  }

  job_api api_;
};

bool uses_api(const policy_access& access) {
  return !access.url.empty() || (access.cluster.directory.empty() && access.cluster.at.empty() &&
                                 std::getenv("TROUPE_API") != nullptr);
}

} // namespace

void add_policy_access(CLI::App& command, policy_access& access) {
  auto& cluster = access.cluster;
  auto* directory = command
                      .add_option("--cluster", cluster.directory,
                                  "The --dir of a running 'troupe cluster up'; default: cluster")
                      ->type_name("DIR");
  auto* at =
    command.add_option("--at", cluster.at, "Instead: address of the node with the role master")
      ->type_name("HOST:PORT")
      ->excludes(directory);
  command
    .add_option("--api", access.url,
                "Instead: address of a node with role api, or A,B; default: $TROUPE_API")
    ->type_name("URL")
    ->excludes(directory)
    ->excludes(at);
  command
    .add_option("--token", access.token_file, "With --api: file with the token, if it needs one")
    ->type_name("FILE")
    ->excludes(directory)
    ->excludes(at);
  command
    .add_option("--certs", cluster.certs,
                "With --at, --api: a directory with ca.crt, NAME.crt, NAME.key")
    ->type_name("DIR")
    ->excludes(directory);
  command.add_option("--as", cluster.as, "With --certs: the NAME; default: client")
    ->type_name("NAME")
    ->excludes(directory);
}

std::unique_ptr<policy_line> open_policy_line(const policy_access& access) {
  const auto& cluster = access.cluster;
  // The parser does not compare the options of a command with those of its subcommand.
  if (!access.url.empty() && !(cluster.directory + cluster.at).empty())
    throw usage_error{"--api excludes --at and --cluster; expected one of them"};
  if (uses_api(access))
    return std::make_unique<line_of_api>(
      api_access{"", access.url, access.token_file, cluster.certs, cluster.as});
  if (!access.token_file.empty())
    throw usage_error{"--token is used with --api, or $TROUPE_API"};
  if (cluster.at.empty() && !cluster.certs.empty())
    throw usage_error{"--certs is used with --at, or --api"};
  return std::make_unique<line_of_nodes>(cluster);
}

} // namespace troupe
