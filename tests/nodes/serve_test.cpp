#include "nodes/running_cluster.hpp"
#include "web/client.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <regex>

using namespace troupe::test;

namespace {

/// `troupe serve` on a free port.
class served {
public:
  explicit served(const std::filesystem::path& directory)
    : program_(directory, {"serve", "--on", "127.0.0.1:0"}) {
    REQUIRE(program_.wait_for("until Ctrl-C\n"));
    const std::regex address{R"(http://127\.0\.0\.1:(\d+)/)"};
    std::smatch found;
    const auto said = program_.said();
    REQUIRE(std::regex_search(said, found, address));
    port_ = static_cast<std::uint16_t>(std::stoi(found[1]));
  }

  std::string get(const std::string& path) const {
    troupe::web_client client{port_};
    client.send(troupe::get_text(path));
    return client.receive().body();
  }

  json state() const { return json::parse(get("/api/v1/state"), nullptr, false); }

  bool has_event(const std::string& what) const {
    const auto now = state();
    for (const auto& e : now["events"])
      if (e["what"] == what)
        return true;
    return false;
  }

  program& running() { return program_; }

private:
  program program_;
  std::uint16_t port_ = 0;
};

} // namespace

TEST_CASE("serve shows a cluster, what happens to its nodes, and the cluster that comes next") {
  running_cluster cluster{{"--set", endless}};
  cluster.wait_until_finished();
  const auto& directory = cluster.here().path();
  served page{directory};
  CHECK(contains(page.get("/"), "<html"));
  json first;
  CHECK(eventually([&] {
    first = page.state();
    return first["samples"].get<int>() > 1 && first["totals"]["placed"].get<int>() > 0;
  }));
  CHECK(first["about"]["world"] == "cluster");
  CHECK(first["details"]["nodes"]["count"] == 4);
  CHECK(contains(page.get("/metrics"), "\ntroupe_tasks_placed_total{"));
  CHECK(contains(page.get("/api/v1/explain?task=1.0"), "--records tasks"));
  CHECK(eventually([&] { return page.state()["samples"] > first["samples"]; }));

  kill(cluster.pid_of("node-3"), SIGKILL);
  CHECK(eventually([&] { return page.has_event("gone") && page.has_event("takeover"); }));

  cluster.up().send_signal(SIGINT);
  cluster.up().wait();
  CHECK(eventually([&] { return page.has_event("silent"); }));
  program again{directory,
                {"cluster", "up", "small.toml", "--nodes", "2", "--quiet", "--set", endless}};
  CHECK(eventually([&] {
    const auto now = page.state();
    return now["about"]["run"] != first["about"]["run"] && now["totals"]["placed"].get<int>() > 0 &&
           now["details"]["nodes"]["count"] == 2;
  }));
  again.send_signal(SIGINT);
  again.wait();
  page.running().send_signal(SIGINT);
  CHECK(page.running().wait().code == 130);
}

TEST_CASE("serve says what is wrong with its options") {
  const scratch here;
  const auto no_cluster = here.run({"serve"});
  CHECK(no_cluster.code == 2);
  CHECK(contains(no_cluster.err, "cluster"));
}
