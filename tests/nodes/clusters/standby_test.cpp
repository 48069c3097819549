#include "failures/reserved_port.hpp"
#include "nodes/running_cluster.hpp"
#include "support/contains.hpp"
#include "support/postgres_server.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <thread>

using namespace troupe::test;
using troupe::trials::reserved_port;

namespace {

using test_clock = std::chrono::steady_clock;

/// Nodes that may keep the jobs of one database, one with owners and schedulers, and a machine.
class cluster_with_standbys {
public:
  explicit cluster_with_standbys(postgres_server& server) : database_(server.new_database()) {
    here_.write("jobs.toml", read_file(TROUPE_SOURCE_DIR "/configs/jobs.toml"));
    for (const char* name : {"k1", "k2"})
      places_.try_emplace(name);
    start_all();
  }

  /// All nodes end at a time, and so do their hosts: others begin in their place.
  void lose_all() {
    for (auto* node : all()) {
      node->send_signal(SIGKILL);
      node->wait();
    }
    for (const char* name : {"k1", "k2", "s", "m"})
      std::filesystem::remove_all(here_.path() / name);
    start_all();
  }

  void start(const std::string& name) {
    const auto& at = places_.at(name);
    keepers_[name] =
      start_node(name, {"--roles", "master,workload,api", "--config", "jobs.toml", "--set",
                        "cluster.machines=1", "--set", "workload.store=" + database_, "--listen",
                        at.listen.address(), "--serve", at.serve.address()});
    REQUIRE(keepers_[name]->wait_for("live page at"));
  }

  program& keeper(const std::string& name) { return *keepers_.at(name); }
  program& machine() { return *machine_; }

  /// Runs a command for jobs, at all nodes that may keep them.
  outcome ask(std::vector<std::string> words) const {
    std::string all;
    for (const auto& [name, _] : places_) {
      const auto text = read_file(here_.path() / name / "page");
      all += (all.empty() ? "" : ",") + text.substr(0, text.find('\n'));
    }
    words.insert(words.begin() + 1, {"--api", all});
    return here_.run(words);
  }

  std::string keeper_now() const {
    for (const auto& [name, at] : places_) {
      const auto asked = here_.run({"status", "--at", at.listen.address(), "--json"});
      if (asked.code == 0)
        return name;
    }
    return "";
  }

  std::string address_of(const std::string& keeper) const {
    return places_.at(keeper).listen.address();
  }

  /// Ends all nodes; returns what they have said.
  std::string logs() {
    std::string all;
    for (auto* node : this->all()) {
      node->send_signal(SIGTERM);
      all += node->wait().err + "\n";
    }
    return all;
  }

  /// The policies of the schedulers; none while the cluster does not tell them.
  json policies() const {
    const auto keeper = keeper_now();
    if (keeper.empty())
      return json::array();
    const auto asked = here_.run({"policy", "--at", address_of(keeper), "--json"});
    return asked.code == 0 ? json::parse(asked.out)["schedulers"] : json::array();
  }

  /// Whether all schedulers have a policy that a client has set.
  bool all_have(const std::string& policy) const {
    const auto now = policies();
    return !now.empty() && std::ranges::all_of(now, [&](const json& s) {
      return s["policy"] == policy && s["state"] == "in force" && s["by"] == "client";
    });
  }

  std::filesystem::path path() const { return here_.path(); }
  const std::string& database() const { return database_; }
  outcome run(const std::vector<std::string>& words) const { return here_.run(words); }

private:
  struct place {
    reserved_port listen;
    reserved_port serve;
  };

  void start_all() {
    start("k1");
    start("k2");
    schedulers_ = start_node("s", {"--roles", "owner,scheduler", "--join", joined(&place::listen)});
    machine_ = start_node(
      "m", {"--roles", "machine", "--join", joined(&place::listen), "--run-as", own_user()});
  }

  std::vector<program*> all() const {
    return {keepers_.at("k1").get(), keepers_.at("k2").get(), schedulers_.get(), machine_.get()};
  }

  std::string joined(reserved_port place::*which) const {
    std::string all;
    for (const auto& [_, at] : places_)
      all += (all.empty() ? "" : ",") + (at.*which).address();
    return all;
  }

  std::unique_ptr<program> start_node(const std::string& name,
                                      const std::vector<std::string>& more) const {
    std::vector<std::string> words{"node", "--name", name, "--state", name, "--log-level", "info"};
    words.insert(words.end(), more.begin(), more.end());
    return std::make_unique<program>(here_.path(), words);
  }

  scratch here_;
  std::string database_;
  std::map<std::string, place> places_;
  std::map<std::string, std::unique_ptr<program>> keepers_;
  std::unique_ptr<program> schedulers_;
  std::unique_ptr<program> machine_;
};

/// Submits jobs, one after the other, until it is told to end; each has a key of its own, and its
/// task notes that it runs.
class submitter {
public:
  explicit submitter(cluster_with_standbys& to)
    : to_(to), ran_(to.path() / "ran"), thread_([this] { work(); }) {}

  ~submitter() { end(); }

  void end() {
    stop_ = true;
    if (thread_.joinable())
      thread_.join();
  }

  int answered() const { return answered_; }
  const std::set<std::string>& ids() const { return ids_; }

  /// The longest time from one answer to the next, since the last call.
  std::chrono::milliseconds longest_gap() {
    return std::chrono::milliseconds{longest_gap_ms_.exchange(0)};
  }

private:
  void work() {
    const auto lock = to_.path().string() + "/lock.$TROUPE_JOB";
    auto last = test_clock::now();
    while (!stop_) {
      const auto told = to_.ask({"submit", "--quiet", "--lease", "20s", "--", "sh", "-c",
                                 "exec 9> " + lock + "; flock -n 9 || echo twice >> " +
                                   ran_.string() + "; echo $TROUPE_JOB >> " + ran_.string()});
      if (told.code != 0) {
        ++failed_;
        continue;
      }
      ids_.insert(told.out.substr(0, told.out.find('\n')));
      ++answered_;
      const auto now = test_clock::now();
      longest_gap_ms_ =
        std::max<std::int64_t>(longest_gap_ms_, (now - last) / std::chrono::milliseconds{1});
      last = now;
    }
  }

  cluster_with_standbys& to_;
  std::filesystem::path ran_;
  std::atomic<bool> stop_{false};
  std::atomic<int> answered_{0};
  std::atomic<int> failed_{0};
  std::atomic<std::int64_t> longest_gap_ms_{0};
  std::set<std::string> ids_;
  std::thread thread_;
};

} // namespace

TEST_CASE("a standby takes over when the keeper is killed, frozen, or its database is") {
  if (postgres_server::shared() == nullptr)
    return;
  postgres_server server;
  cluster_with_standbys here{server};
  REQUIRE(eventually([&] { return here.ask({"submit", "--quiet", "--", "true"}).code == 0; }));
  submitter clients{here};
  const auto goes_on = [&](const std::string& what) {
    const int before = clients.answered();
    REQUIRE(eventually([&] { return clients.answered() > before + 10; }));
    MESSAGE("longest time without an answer, " << what << ": " << clients.longest_gap().count()
                                               << " ms");
  };
  goes_on("at first");
  const auto first = here.keeper_now();
  REQUIRE_FALSE(first.empty());
  const std::string second = first == "k1" ? "k2" : "k1";

  const auto set = here.run({"policy", "set", "random-fit", "--at", here.address_of(first)});
  CAPTURE(set.err);
  CHECK(set.code == 0);
  here.keeper(first).send_signal(SIGKILL);
  here.keeper(first).wait();
  goes_on("keeper killed");
  CHECK(here.keeper_now() == second);
  CHECK(eventually([&] { return here.all_have("random-fit"); }));
  here.start(first);

  here.keeper(second).send_signal(SIGSTOP);
  goes_on("keeper frozen");
  CHECK(eventually([&] { return here.keeper_now() == first; }));
  here.keeper(second).send_signal(SIGCONT);
  CHECK(here.keeper(second).wait_for("steps back: another node keeps the jobs now"));
  CHECK(here.keeper(second).wait_for("standby; node " + first + " keeps the jobs"));
  goes_on("frozen keeper back");

  server.kill_hard();
  server.start();
  goes_on("database killed");

  clients.end();
  std::vector<std::string> wait{"wait", "--timeout", "100s"};
  wait.insert(wait.end(), clients.ids().begin(), clients.ids().end());
  const auto waited = here.ask(wait);
  CAPTURE(waited.err);
  CHECK(waited.code == 0);
  if (waited.code != 0)
    MESSAGE(here.logs()); // of all nodes, to find out why
  std::map<std::string, int> runs;
  std::istringstream ran{read_file(here.path() / "ran")};
  for (std::string line; std::getline(ran, line);)
    ++runs[line];
  CHECK(runs.count("twice") == 0);
  for (const auto& id : clients.ids())
    CHECK(runs[id] >= 1);
  // Each answered submission is one job, and there is no other.
  const auto jobs = json::parse(here.ask({"jobs", "--limit", "1000", "--json"}).out)["jobs"];
  CHECK(jobs.size() == clients.ids().size() + 1);
  CHECK(here.run({"store", "check", here.database()}).code == 0);
  check_ends_well(here.keeper(second), SIGTERM);
}

TEST_CASE("jobs and policies outlive all nodes at a time, and their files") {
  if (postgres_server::shared() == nullptr)
    return;
  cluster_with_standbys here{*postgres_server::shared()};
  REQUIRE(eventually([&] { return here.ask({"submit", "--quiet", "--", "true"}).code == 0; }));
  const auto set = [&](const std::string& policy) {
    return here.run({"policy", "set", policy, "--at", here.address_of(here.keeper_now())});
  };
  REQUIRE(eventually([&] { return set("random-fit").code == 0; }));
  here.lose_all();
  CHECK(eventually([&] { return here.all_have("random-fit"); }));
  const auto next = set("worst-fit");
  CAPTURE(next.err);
  CHECK(next.code == 0);
  CHECK(here.all_have("worst-fit"));
  const auto job = here.ask({"submit", "--quiet", "--", "true"});
  REQUIRE(job.code == 0);
  CHECK(here.ask({"wait", job.out.substr(0, job.out.find('\n')), "--timeout", "60s"}).code == 0);
  here.logs();
}
