#include "nodes/clocks/utc_clock.hpp"
#include "nodes/running_cluster.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

using namespace troupe::test;

namespace {

using words = std::vector<std::string>;

/// Nodes without certificates: a master with the workload and members, and others with machines.
class cluster_with_returns {
public:
  cluster_with_returns() { here_.write("small.toml", small_settings); }

  std::unique_ptr<program> start(const std::string& name, words more) {
    words all{"node", "--name", name, "--state", name, "--log-level", "info"};
    all.insert(all.end(), more.begin(), more.end());
    return std::make_unique<program>(here_.path(), all);
  }

  std::unique_ptr<program> start_master(const words& more = {}) {
    words all{"--roles",  "master", "--config", "small.toml",
              "--listen", at_,      "--set",    endless_trickle};
    all.insert(all.end(), more.begin(), more.end());
    auto node = start("m", all);
    REQUIRE(node->wait_for("listens on"));
    at_ = read_file(here_.path() / "m" / "address");
    at_.erase(at_.find_last_not_of('\n') + 1);
    return node;
  }

  std::unique_ptr<program> start_machines(const std::string& name) {
    return start(name, {"--roles", "owner,scheduler,machine", "--machines", "50", "--join", at_});
  }

  std::unique_ptr<program> start_workload() {
    return start("w", {"--roles", "workload", "--join", at_, "--out", "results"});
  }

  json status() const { return asked_.ask(at_, {}, {}); }

  bool has(const std::string& name) const {
    const auto s = status();
    if (s.is_object())
      for (const auto& n : s["nodes"])
        if (n["name"] == name)
          return true;
    return false;
  }

  int launched(const std::string& name) const {
    const auto s = status();
    if (s.is_object())
      for (const auto& n : s["nodes"])
        if (n["name"] == name && n.contains("tasks_launched"))
          return n["tasks_launched"];
    return 0;
  }

  int finished() const {
    const auto s = status();
    return s.is_object() && s["workload"].is_object() ? s["workload"]["finished"].get<int>() : -1;
  }

  scratch& here() { return here_; }

private:
  scratch here_;
  mutable troupe::trials::status_client asked_;
  std::string at_ = "127.0.0.1:0";
};

void kill_hard(program& node) {
  node.send_signal(SIGKILL);
  node.wait();
}

/// An hour ahead of this host's clock.
std::string far_ahead() {
  return std::to_string(troupe::life_by_clock() + 36'000) + "\n";
}

} // namespace

TEST_CASE("machines keep their numbers when their master dies together with another node") {
  const words many{"--set", endless}; // few tasks would fill up the machines that have some
  cluster_with_returns nodes;
  auto master = nodes.start_master(many);
  auto a = nodes.start_machines("a"); // the first machines
  REQUIRE(eventually([&] { return nodes.has("a"); }));
  auto b = nodes.start_machines("b");
  auto w = nodes.start_workload();
  REQUIRE(eventually([&] { return nodes.finished() > 0; }));
  for (auto* stays : {a.get(), w.get()})
    stays->send_signal(SIGSTOP);
  kill_hard(*master);
  kill_hard(*b);
  master = nodes.start_master(many);
  b = nodes.start_machines("b"); // before anybody who knows the cluster
  REQUIRE(eventually([&] { return nodes.has("b"); }));
  for (auto* stays : {a.get(), w.get()})
    stays->send_signal(SIGCONT);
  CHECK(eventually([&] { return nodes.launched("a") > 0 && nodes.launched("b") > 0; }));
  for (const auto* name : {"a", "b"}) {
    const auto before = nodes.launched(name);
    CHECK(eventually([&] { return nodes.launched(name) > before; }));
  }
  for (auto* node : {master.get(), w.get(), a.get(), b.get()})
    check_ends_well(*node, SIGTERM);
}

TEST_CASE("a node ends, and says why, when its master comes back with other settings") {
  cluster_with_returns nodes;
  auto master = nodes.start_master();
  auto a = nodes.start_machines("a");
  auto b = nodes.start_machines("b");
  auto w = nodes.start_workload();
  REQUIRE(eventually([&] { return nodes.finished() > 0; }));
  kill_hard(*master);
  master = nodes.start_master({"--set", "schedulers=7"});
  for (auto* node : {a.get(), b.get(), w.get()}) {
    const auto end = node->wait();
    CHECK(end.code == 1);
    CHECK(contains(end.err, "schedulers is 4 here and 7 there; start this node again"));
  }
  kill_hard(*master);
}

TEST_CASE("a workload begins at once on a host whose clock has gone back") {
  cluster_with_returns nodes;
  const auto file = nodes.here().path() / "w" / "workload-incarnation";
  std::filesystem::create_directories(file.parent_path());
  nodes.here().write("w/workload-incarnation", far_ahead());
  auto master = nodes.start_master();
  auto a = nodes.start_machines("a");
  auto b = nodes.start_machines("b");
  auto w = nodes.start_workload();
  REQUIRE(eventually([&] { return nodes.finished() > 0; }));
  CHECK(std::stoll(read_file(file)) < std::stoll(far_ahead()) - 18'000);
  for (auto* node : {master.get(), w.get(), a.get(), b.get()})
    check_ends_well(*node, SIGTERM);
}
