#include "cli/process.hpp"
#include "nodes/agent/node_system.hpp"
#include "nodes/client/cluster_client.hpp"
#include "nodes/connections/node_network.hpp"
#include "nodes/registry/identity_text.hpp"
#include "nodes/running_cluster.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

const auto own_protocol = std::to_string(protocol_version);
const auto other_protocol = std::to_string(protocol_version + 1);

std::string address_of(const running_cluster& cluster) {
  auto text = read_file(cluster.here().path() / "cluster" / "node-1" / "address");
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

std::string log_of(const running_cluster& cluster, const std::string& node) {
  return read_file(cluster.here().path() / "cluster" / node / "log");
}

/// A node of another version as far as it gets: says so, and hears what it is told.
struct stranger {
  caf::actor_system_config config;
  io_thread thread;
  std::optional<caf::actor_system> system;
  std::optional<node_network> network;

  stranger() {
    configure_node_system(config, 500ms, 5s);
    system.emplace(config);
    network.emplace(*system, thread, network_options{.name = "x"});
  }
};

} // namespace

TEST_CASE("who has a certificate of another authority gets nowhere, and both sides say so") {
  running_cluster cluster{{"--set", endless_trickle}};
  const auto& here = cluster.here();
  const auto at = address_of(cluster);
  REQUIRE(here.run({"certs", "init", "--dir", "other"}).code == 0);
  REQUIRE(here.run({"certs", "issue", "client", "--dir", "other"}).code == 0);
  REQUIRE(here.run({"certs", "issue", "node-9", "--roles", "machine", "--dir", "other"}).code == 0);

  const auto asked = here.run({"status", "--at", at, "--certs", "other"});
  CHECK(asked.code == 1);
  CAPTURE(asked.err);
  CHECK(contains(asked.err, at + ": its certificate is refused by this side"));

  program node{here.path(),
               {"node", "--name", "node-9", "--roles", "machine", "--machines", "1", "--join", at,
                "--certs", "other", "--state", "node-9"}};
  CHECK(node.wait_for("TLS with " + at + " fails: certificate verify failed"));
  CHECK(node.wait_for("cannot be reached and is tried again"));
  CHECK(eventually([&] { return contains(log_of(cluster, "node-1"), "TLS with 127.0.0.1:"); }));
  check_ends_well(node, SIGTERM);
  CHECK(cluster.status()["nodes"].size() == 4);
}

TEST_CASE("a node whose name is taken is refused by name and waits") {
  running_cluster cluster{{"--set", endless_trickle}};
  const auto& here = cluster.here();
  program node{here.path(),
               {"node", "--name", "node-2", "--roles", "owner", "--join", address_of(cluster),
                "--certs", "cluster/certs", "--state", "second"}};
  CHECK(node.wait_for("a node named node-2 has joined already, at 127.0.0.1:"));
  CHECK(
    eventually([&] { return contains(log_of(cluster, "node-1"), "node node-2 at 127.0.0.1:"); }));
  check_ends_well(node, SIGTERM);
}

TEST_CASE("a node without the master says where that is") {
  running_cluster cluster{{"--set", endless_trickle}};
  auto at = read_file(cluster.here().path() / "cluster" / "node-2" / "address");
  at.erase(at.find_last_not_of('\n') + 1);
  const auto asked = cluster.here().run({"status", "--at", at, "--certs", "cluster/certs"});
  CHECK(asked.code == 1);
  CHECK(contains(asked.err, at + ": node node-2 does not have the role master; that is node-1 at " +
                              address_of(cluster)));
}

TEST_CASE("a node that cannot do what it is told is refused before anything starts") {
  const scratch here;
  const auto run = here.run({"node", "--name", "a/b", "--roles", "owner", "--join", "127.0.0.1:1"});
  CHECK(run.code == 2);
  CHECK(contains(run.err, "--name"));
  const auto forged = here.run({"node", "--name", "a", "--roles", "owner", "--join", "127.0.0.1:1",
                                "--advertise", "b\n\x1b[31m"});
  CHECK(forged.code == 2);
  CHECK(contains(forged.err, "--advertise 'b\\n\\x1b[31m': expected the name or the address"));
  std::filesystem::create_directory(here.path() / "results");
  here.write("results/notes.txt", "mine");
  here.write("small.toml", small_settings);
  const auto foreign =
    here.run({"node", "--name", "a", "--roles", "master,workload,owner,scheduler,machine",
              "--config", "small.toml", "--out", "results"});
  CHECK(foreign.code == 2);
  CHECK(contains(foreign.err, "cannot write results to results: it holds \"notes.txt\""));
  const auto useless = here.run(
    {"node", "--name", "a", "--roles", "owner", "--join", "127.0.0.1:1", "--out", "results"});
  CHECK(useless.code == 2);
  CHECK(contains(useless.err, "--out without the role workload"));
}

TEST_CASE("a node of another version is refused with a message on both sides") {
  const scratch here;
  here.write("small.toml", small_settings);
  program master{here.path(),
                 {"node", "--name", "m", "--roles", "master", "--config", "small.toml",
                  "--log-level", "info", "--state", "m"}};
  REQUIRE(master.wait_for("the cluster has not begun"));
  auto at = read_file(here.path() / "m" / "address");
  const auto port = static_cast<std::uint16_t>(std::stoi(at.substr(at.rfind(':') + 1)));

  stranger other;
  caf::scoped_actor self{*other.system};
  caf::actor way;
  self->request(other.network->ways(), long_enough, caf::connect_atom_v, "127.0.0.1", port)
    .receive([&](const caf::node_id&, const caf::strong_actor_ptr& found,
                 const std::set<std::string>&) { way = caf::actor_cast<caf::actor>(found); },
             [&](const caf::error& e) { FAIL(other.system->render(e)); });
  REQUIRE(way);
  self->send(way, node_greeting{protocol_version + 1, "9\n12:00 error \x1b[31m", "?"});
  std::string why;
  self->receive([&](const node_refusal& r) { why = r.why; }, caf::after(long_enough) >> [] {});
  CHECK(contains(why, "refused by m: it speaks protocol " + other_protocol +
                        " (troupe 9\n12:00 error \x1b[31m), this node protocol " + own_protocol));
  CHECK(master.wait_for("a node is refused: it speaks protocol " + other_protocol +
                        " (troupe 9\\n12:00 error \\x1b[31m)"));
  check_ends_well(master, SIGTERM);
}

TEST_CASE("a client tells that a node is of another version") {
  stranger other;
  const auto node = other.system->spawn([](caf::event_based_actor* self) -> caf::behavior {
    return {[self](const node_greeting&) {
      self->send(caf::actor_cast<caf::actor>(self->current_sender()),
                 node_greeting{protocol_version + 1, "9.9.9\x1b[31m", "?"});
    }};
  });
  const auto port = other.network->publish(node, "127.0.0.1", 0);
  std::string why;
  try {
    cluster_client line{{{"127.0.0.1", port}, std::nullopt, 60s}};
  } catch (const std::runtime_error& e) {
    why = e.what();
  }
  caf::anon_send_exit(node, caf::exit_reason::user_shutdown);
  CHECK(contains(why, "it speaks protocol " + other_protocol +
                        " (troupe 9.9.9\\x1b[31m), this program protocol " + own_protocol));
}

TEST_CASE("a client does not wait for a node that stands still") {
  running_cluster cluster{{"--set", endless_trickle}};
  const auto pid = cluster.pid_of("node-1");
  kill(pid, SIGSTOP);
  const auto asked = cluster.here().run({"status"});
  kill(pid, SIGCONT);
  CHECK(asked.code == 1);
  CAPTURE(asked.err);
  CHECK(contains(asked.err, "it may have been stopped"));
}
