#include "nodes/clusters/page_reader.hpp"

#include <doctest/doctest.h>

#include <csignal>

using namespace troupe::test;

namespace {

/// `troupe serve` on a free port.
class served {
public:
  explicit served(const std::filesystem::path& directory)
    : program_(directory, {"serve", "--on", "127.0.0.1:0"}) {
    REQUIRE(program_.wait_for("until Ctrl-C\n"));
    page_ = page_reader::of(program_.said());
  }

  const page_reader& page() const { return page_; }
  program& running() { return program_; }

private:
  program program_;
  page_reader page_{0};
};

} // namespace

TEST_CASE("serve shows a cluster, what happens to its nodes, and the cluster that comes next") {
  running_cluster cluster{{"--set", endless}};
  cluster.wait_until_finished();
  const auto& directory = cluster.here().path();
  served serve{directory};
  const auto& page = serve.page();
  CHECK(contains(page.get("/"), "<html"));
  json first;
  CHECK(eventually([&] {
    first = page.state();
    return first["details"]["schedulers"]["shown"][0]["policy"] != "" &&
           first["totals"]["placed"].get<int>() > 0;
  }));
  // The figures are those since the start, though nobody has watched before.
  CHECK(counts_come_to_agree(page));
  CHECK(first["totals"]["finished"].get<int>() > 200);
  CHECK(first["samples"].get<double>() >= first["now_s"].get<double>() - 2);
  CHECK(first["about"]["world"] == "cluster");
  CHECK(first["details"]["nodes"]["count"] == 4);
  CHECK(contains(page.get("/metrics"), "\ntroupe_tasks_placed_total{"));
  CHECK(contains(page.get("/api/v1/explain?task=1.0"), "expected the setting records"));
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
  serve.running().send_signal(SIGINT);
  CHECK(serve.running().wait().code == 130);
}

TEST_CASE("serve says what is wrong with its options") {
  const scratch here;
  const auto no_cluster = here.run({"serve"});
  CHECK(no_cluster.code == 2);
  CHECK(contains(no_cluster.err, "cluster"));
  here.write("small.toml", small_settings);
  const auto open_to_all =
    here.run({"cluster", "up", "small.toml", "--serve", "0.0.0.0:8980", "--dir", "other"});
  CHECK(open_to_all.code == 2);
  CHECK(contains(open_to_all.err, "cluster up: --serve 0.0.0.0:8980: not a loopback address; "
                                  "expected one such as 127.0.0.1:8980, or --serve-tls"));
}
