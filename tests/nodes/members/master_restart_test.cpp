#include "nodes/running_cluster.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <memory>

using namespace troupe::test;
namespace fs = std::filesystem;

namespace {

/// Nodes that are started one by one, without certificates.
class nodes_by_hand {
public:
  explicit nodes_by_hand(const std::string& architecture) : architecture_(architecture) {
    here_.write("small.toml", small_settings);
  }

  std::unique_ptr<program> start(const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words{"node", "--name", name, "--state", name, "--log-level", "info"};
    words.insert(words.end(), more.begin(), more.end());
    return std::make_unique<program>(here_.path(), words);
  }

  std::unique_ptr<program> start_master(const std::string& listen) {
    auto node = start("m", {"--roles", "master", "--config", "small.toml", "--set",
                            "workload.phases=[{length=\"15s\", rate=200}]", "--set",
                            "architecture=" + architecture_, "--set", "offers.interval=200ms",
                            "--listen", listen, "--expect", "4"});
    REQUIRE(node->wait_for("listens on"));
    return node;
  }

  std::string address_of(const std::string& name) const {
    auto text = read_file(here_.path() / name / "address");
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
  }

  json status(const std::string& at) const { return asked_.ask(at, {}, {}); }

  outcome run(const std::vector<std::string>& words) const { return here_.run(words); }

  fs::path path() const { return here_.path(); }

private:
  std::string architecture_;
  scratch here_;
  mutable troupe::trials::status_client asked_;
};

bool works(const json& status, int finished) {
  return status.is_object() && status["workload"].is_object() &&
         status["workload"]["finished"] > finished;
}

void check_master_restarts(const std::string& architecture, int owners) {
  nodes_by_hand nodes{architecture};
  auto master = nodes.start_master("127.0.0.1:0");
  const auto at = nodes.address_of("m");
  auto work = nodes.start("w", {"--roles", "workload", "--join", at, "--out", "results"});
  const std::vector<std::string> as_others{
    "--roles", "owner,scheduler,machine", "--machines", "50", "--join", at};
  auto a = nodes.start("a", as_others);
  auto b = nodes.start("b", as_others);
  json status;
  const bool begun = eventually([&] {
    status = nodes.status(at);
    return works(status, 200);
  });
  CAPTURE(status.dump(2));
  REQUIRE(begun);
  const bool places = architecture != "sparrow";
  const auto set = nodes.run({"policy", "set", "random-fit", "--at", at});
  CAPTURE(set.err);
  CHECK(set.code == (places ? 0 : 2));

  master->send_signal(SIGKILL);
  CHECK(master->wait().code == -SIGKILL);
  master = nodes.start_master(at);
  REQUIRE(eventually([&] {
    status = nodes.status(at);
    return works(status, 200) && status["owners"]["here"] == owners &&
           status["schedulers"]["here"] == 4 && status["machines"]["here"] == 100;
  }));
  CHECK(status["begun"] == true);
  CHECK(status["master_incarnation"] == 2);
  const auto policies = json::parse(nodes.run({"policy", "--at", at, "--json"}).out)["schedulers"];
  CHECK(policies.size() == 4);
  for (const auto& s : policies) {
    CHECK((s["policy"] == "random-fit") == places);
    CHECK(s["state"] == "in force");
  }

  // Whoever dies now is replaced by the new master.
  a->send_signal(SIGKILL);
  CHECK(a->wait().code == -SIGKILL);
  const auto summary = nodes.path() / "results" / "summary.json";
  REQUIRE(eventually([&] { return fs::exists(summary); }));
  const auto tasks = json::parse(read_file(summary))["tasks"];
  CHECK(tasks["submitted"].get<int>() > 2500);
  CHECK(tasks["finished"] == tasks["submitted"]);
  for (auto* node : {master.get(), work.get(), b.get()})
    check_ends_well(*node, SIGTERM);
}

} // namespace

TEST_CASE("the work goes on while the master is gone, and with the next one") {
  check_master_restarts("parsync", 4);
}

TEST_CASE("offers go on with the next master, by another incarnation of the allocator") {
  check_master_restarts("two-level", 4);
}

TEST_CASE("Sparrow schedulers go on with the next master") {
  check_master_restarts("sparrow", 0);
}
