#include "nodes/running_cluster.hpp"

#include <doctest/doctest.h>

#include <csignal>

using namespace troupe;
using namespace troupe::test;

namespace {

/// Two machines; the tasks ask for more than one of them has.
constexpr const char* settings = R"(
name = "own"
schedulers = 2

[cluster]
machines = 2
partitions = 2
owners = 2

[[cluster.classes]]
cpu = 64
memory = 64
attributes = { rack = "r2" }

[workload]
cpu = 1
memory = 2
constraints = ["rack == r2"]
duration = { value = 0.2 }

[[workload.phases]]
length = "3s"
rate = 10
)";

std::string line_of(const scratch& here, const std::string& file) {
  auto text = read_file(here.path() / file);
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

std::vector<std::string> machine_node(const std::string& name, const std::string& master,
                                      const std::vector<std::string>& offer) {
  std::vector<std::string> arguments{"node",   "--name", name,      "--roles", "machine",
                                     "--join", master,   "--state", name};
  arguments.insert(arguments.end(), offer.begin(), offer.end());
  return arguments;
}

} // namespace

TEST_CASE("hosts are machines of what they offer, and get the tasks that fit") {
  const scratch here;
  here.write("own.toml", settings);
  program master{here.path(),
                 {"node", "--name", "m", "--roles", "master,workload,owner,scheduler", "--config",
                  "own.toml", "--state", "m", "--out", "out"}};
  REQUIRE(master.wait_for("listens on"));
  const auto at = line_of(here, "m/address");
  program other{here.path(), machine_node("a", at, {"--attribute", "rack=r1"})};
  program fitting{here.path(), machine_node("b", at,
                                            {"--cpu", "3", "--memory", "4.5", "--slots", "7",
                                             "--attribute", "rack=r2"})};
  troupe::trials::status_client asked;
  json status;
  REQUIRE(eventually([&] {
    status = asked.ask(at, {}, {});
    return status.is_object() && status["workload"].is_object() &&
           status["workload"]["over"] == true;
  }));
  json by_name;
  for (const auto& n : status["nodes"])
    by_name[n["name"].get<std::string>()] = n;
  const auto& b = by_name["b"]["machine"];
  CHECK(b["cpu"] == 3);
  CHECK(b["memory_gib"] == 4.5);
  CHECK(b["slots"] == 7);
  CHECK(b["attributes"]["rack"] == "r2");
  CHECK(by_name["a"]["machine"]["cpu"] > 0);
  CHECK(by_name["a"]["tasks_launched"] == 0);

  const auto summary = json::parse(read_file(here.path() / "out/summary.json"));
  CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
  CHECK(by_name["b"]["tasks_launched"] == summary["tasks"]["submitted"]);
  for (const auto& check : summary["checks"]) {
    CAPTURE(check.dump());
    CHECK(check["passed"] == true);
  }

  // Two at a time: there is memory for no third one.
  CHECK(summary["utilization"]["max"].get<double>() < 1.0);

  // It may come back with more, but not with less than the others count on.
  check_ends_well(fitting, SIGTERM);
  program less{here.path(), machine_node("b", at,
                                         {"--cpu", "2", "--memory", "4.5", "--slots", "7",
                                          "--attribute", "rack=r2"})};
  const auto refused = less.wait();
  CHECK(refused.code == 1);
  CHECK(refused.err.find("the cluster has begun with other machines") != std::string::npos);
  program back{here.path(), machine_node("b", at,
                                         {"--cpu", "4", "--memory", "4.5", "--slots", "7",
                                          "--attribute", "rack=r2"})};
  CHECK(eventually([&] {
    const auto now = asked.ask(at, {}, {});
    return now.dump().find("\"cpu\":4.0") != std::string::npos;
  }));
  check_ends_well(back, SIGTERM);
  check_ends_well(other, SIGTERM);
  check_ends_well(master, SIGTERM);
}

TEST_CASE("what a host offers is checked before anything starts") {
  const scratch here;
  struct mistake {
    std::vector<std::string> words;
    std::string complaint;
  };
  const std::vector<mistake> mistakes{
    {{"--attribute", "rack"}, "--attribute rack: expected KEY=VALUE"},
    {{"--cpu", "0"}, "--cpu"},
    {{"--memory", "much"}, "--memory"},
    {{"--machines", "4", "--cpu", "2"}, "expected --machines alone"},
    {{"--listen", "0.0.0.0:0"}, "not a loopback address"},
    {{"--listen", "127.evil:0"}, "not a loopback address"},
    {{"--listen", "::1:0"}, "expected HOST:PORT, or [ADDRESS]:PORT for IPv6"},
  };
  for (const auto& [words, complaint] : mistakes) {
    const auto run = here.run(machine_node("a", "127.0.0.1:1", words));
    CAPTURE(run.err);
    CHECK(run.code == 2);
    CHECK(run.err.find(complaint) != std::string::npos);
  }
  CHECK(here.entries().empty());
}

TEST_CASE("a node waits while another process has its state") {
  const scratch here;
  here.write("own.toml", settings);
  program master{here.path(),
                 {"node", "--name", "m", "--roles", "master,workload,owner,scheduler", "--config",
                  "own.toml", "--state", "m"}};
  REQUIRE(master.wait_for("listens on"));
  const auto at = line_of(here, "m/address");
  program node{here.path(), machine_node("a", at, {})};
  REQUIRE(node.wait_for("listens on"));
  program again{here.path(), machine_node("a", at, {})};
  REQUIRE(again.wait_for("which is a node with the same state a"));
  CHECK(again.said().find("process " + std::to_string(node.pid()) + " to end") !=
        std::string::npos);
  CHECK(again.said().find("listens on") == std::string::npos);
  check_ends_well(node, SIGTERM);
  REQUIRE(again.wait_for("listens on"));
  check_ends_well(again, SIGTERM);
  check_ends_well(master, SIGTERM);
}
