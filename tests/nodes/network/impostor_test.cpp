#include "nodes/network/rogue_client.hpp"
#include "nodes/running_cluster.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <sstream>

using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A cluster, and somebody with a certificate of it.
struct deceived_cluster {
  running_cluster cluster{{"--set", endless_trickle}};
  std::filesystem::path folder = cluster.here().path() / "cluster";
  std::string at = [this] {
    auto text = read_file(folder / "node-1" / "address");
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
  }();

  std::vector<std::string> lines_on(const std::string& client) const {
    std::istringstream log{read_file(folder / "node-1" / "log")};
    std::vector<std::string> lines;
    for (std::string line; std::getline(log, line);)
      if (contains(line, client + ' '))
        lines.push_back(line);
    return lines;
  }

  /// Claims something with the certificate of `name`; one line has to say `why`, and so has the
  /// answer.
  void check_refused(const std::string& name, const std::string& claim, const std::string& why) {
    rogue_client client{at};
    REQUIRE(client.start_tls(folder / "certs", name));
    REQUIRE(client.send_encrypted(claim));
    CHECK(contains(client.read_encrypted(), why));
    CHECK(client.is_closed(20s));
    CHECK(eventually([&] { return !lines_on(client.address()).empty(); }, 20s));
    const auto lines = lines_on(client.address());
    REQUIRE(lines.size() == 1);
    CHECK(contains(lines[0], client.address() + " is refused: " + why));
    CHECK(contains(lines[0], ": connection closed"));
  }
};

} // namespace

TEST_CASE("nobody is another node than its certificate says, nor has other roles") {
  deceived_cluster victim;
  INFO("a node that claims to be another one");
  victim.check_refused("node-2", introduction_of("node-3", {"owner", "scheduler", "machine"}),
                       "the certificate is that of node-2 and not of node-3");
  INFO("a node that claims the role master");
  victim.check_refused("node-2", introduction_of("node-2", {"master", "owner"}),
                       "the certificate of node-2 was not issued for master (roles: machine, "
                       "owner, scheduler)");
  INFO("a client that claims to be a node");
  victim.check_refused("client", introduction_of("client", {"machine"}),
                       "the certificate of client was not issued for machine (roles: none)");
  INFO("what is no role");
  victim.check_refused("node-2", introduction_of("node-2", {"king"}),
                       "the role 'king' is unknown; expected master");
  INFO("a name that would spoil the log");
  victim.check_refused("node-2", introduction_of("node\n\x1b[31m", {}),
                       "the name of a node is 'node\\n\\x1b[31m'");
  CHECK(victim.cluster.status()["nodes"].size() == 4);
}

TEST_CASE("who introduces itself and then speaks for another process is cut off") {
  deceived_cluster victim;
  rogue_client client{victim.at};
  REQUIRE(client.start_tls(victim.folder / "certs", "client"));
  // A handshake of CAF's protocol with the id of another process than in the introduction.
  std::string handshake(32, '\0');
  handshake[0] = 1;
  handshake[7] = 40;
  REQUIRE(client.send_encrypted(introduction_of("client", {}) + handshake + std::string(40, 'z')));
  CHECK(client.is_closed(20s));
  CHECK(eventually([&] { return !victim.lines_on(client.address()).empty(); }, 20s));
  const auto lines = victim.lines_on(client.address());
  REQUIRE(lines.size() == 1);
  CHECK(contains(lines[0], "(client) sends a message with the id of another process"));
}

TEST_CASE("a node does not start with a certificate of other roles or of another name") {
  const scratch here;
  here.write("small.toml", small_settings);
  REQUIRE(here.run({"certs", "init"}).code == 0);
  REQUIRE(here.run({"certs", "issue", "b", "--roles", "machine"}).code == 0);
  const auto as_master = here.run({"node", "--name", "b", "--roles", "master,machine", "--config",
                                   "small.toml", "--certs", "certs"});
  CHECK(as_master.code == 2);
  CHECK(contains(as_master.err,
                 "certs/b.crt: the certificate of b was not issued for master (roles: machine); "
                 "expected a new one, made by 'troupe certs issue b --roles ROLES'"));
  std::filesystem::copy_file(here.path() / "certs/b.crt", here.path() / "certs/c.crt");
  std::filesystem::copy_file(here.path() / "certs/b.key", here.path() / "certs/c.key");
  const auto as_another = here.run(
    {"node", "--name", "c", "--roles", "machine", "--join", "127.0.0.1:1", "--certs", "certs"});
  CHECK(as_another.code == 2);
  CHECK(contains(as_another.err, "certs/c.crt: the certificate is that of b and not of c"));
}
