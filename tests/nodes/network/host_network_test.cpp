#include "cli/process.hpp"
#include "failures/trial_cluster.hpp"
#include "nodes/rows_settings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace troupe::test;
using troupe::trials::cluster_plan;
using troupe::trials::host_network;
using troupe::trials::log_line;
using troupe::trials::output_of;
using troupe::trials::read_log;
using troupe::trials::trial_cluster;
using json = nlohmann::json;
using namespace std::chrono_literals;

namespace {

std::size_t count(const std::vector<log_line>& log, const std::string& part) {
  return static_cast<std::size_t>(std::ranges::count_if(
    log, [&](const log_line& line) { return line.text.find(part) != std::string::npos; }));
}

std::size_t here(const json& status, const std::string& what) {
  return status.is_object() ? status[what]["here"].get<std::size_t>() : 0;
}

} // namespace

TEST_CASE("of three hosts, one is cut off for longer than the time-outs, and comes back") {
  if (const auto why = host_network::why_not()) {
    MESSAGE("skipped: " << *why);
    return;
  }
  const scratch folder;
  folder.write("hosts.toml", rows_settings("12s", 150));
  cluster_plan plan;
  plan.troupe = TROUPE_PROGRAM;
  plan.directory = folder.path() / "cluster";
  plan.config = folder.path() / "hosts.toml";
  plan.hosts = 3;
  plan.nodes = {{"a", "master,workload", 0, 0},
                {"b", "owner,scheduler,machine", 40, 1},
                {"c", "owner,scheduler,machine", 40, 2}};
  trial_cluster cluster{plan};
  cluster.start();
  cluster.wait_for_work(1500ms);

  cluster.network().cut(2);
  const auto moment = std::chrono::system_clock::now();
  cluster.wait_for("the others have taken over what lived on c", [&] {
    return count(cluster.log("b"), "started here as incarnation 2") >= 4 &&
           first_after(cluster.log("b"), moment, "are silent and given up");
  });
  cluster.network().heal(2);
  json status;
  cluster.wait_for("c is back", [&] {
    status = cluster.status();
    return here(status, "machines") == 80 && here(status, "owners") == 4;
  });

  const auto summary = cluster.wait_for_summary();
  CHECK(summary["tasks"]["submitted"].get<int>() > 1500);
  CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
  CHECK(summary["jobs"]["finished"] == summary["jobs"]["submitted"]);
  CHECK(summary["duplicate_grants"] == 0);
  for (const auto& check : summary["checks"]) {
    CAPTURE(check.dump());
    CHECK(check["passed"] == true);
  }
  // Whoever lived on the host that was cut off knows that others have taken over.
  CHECK(count(cluster.log("c"), "another one has taken over from incarnation 1") >= 2);
}

TEST_CASE("a network of hosts leaves nothing behind") {
  if (const auto why = host_network::why_not()) {
    MESSAGE("skipped: " << *why);
    return;
  }
  pid_t inside = 0;
  {
    const host_network net{2};
    auto words = net.on_host(1);
    words.insert(words.end(), {"ip", "address", "show"});
    const scratch folder;
    const auto text = output_of(folder.path(), words);
    REQUIRE(text);
    CHECK(text->find(host_network::address(1)) != std::string::npos);
    CHECK(text->find(host_network::address(0)) == std::string::npos);
    inside = static_cast<pid_t>(std::stoi(words[1].substr(std::string{"--net=/proc/"}.size())));
    CHECK(std::filesystem::exists("/proc/" + std::to_string(inside)));
  }
  CHECK_FALSE(std::filesystem::exists("/proc/" + std::to_string(inside)));
}
