#include "nodes/running_cluster.hpp"
#include "support/contains.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace troupe::test;

namespace {

/// A cluster for jobs whose first node, "a", is no machine. Other nodes are machines that join.
class growing_cluster {
public:
  explicit growing_cluster(std::vector<std::string> more = {}) {
    here_.write("jobs.toml", read_file(TROUPE_SOURCE_DIR "/configs/jobs.toml"));
    more.insert(more.begin(), {"--roles", "master,workload,api,owner,scheduler", "--config",
                               "jobs.toml", "--serve", "127.0.0.1:0"});
    start("a", more);
    REQUIRE(nodes_.at("a")->wait_for("serves the live page at "));
  }

  program& join(const std::string& name, std::vector<std::string> offer) {
    offer.insert(offer.begin(),
                 {"--roles", "machine", "--join", line_in("address"), "--run-as", own_user()});
    return start(name, offer);
  }

  program& node(const std::string& name) { return *nodes_.at(name); }

  void kill(const std::string& name) {
    nodes_.at(name)->send_signal(SIGKILL);
    nodes_.at(name)->wait();
  }

  outcome ask(std::vector<std::string> words) const {
    words.insert(words.begin() + 1, {"--api", line_in("page")});
    return here_.run(words);
  }

  std::string submit(std::vector<std::string> words) const {
    words.insert(words.begin(), {"submit", "--quiet"});
    const auto told = ask(words);
    CAPTURE(told.err);
    REQUIRE(told.code == 0);
    return told.out.substr(0, told.out.find('\n'));
  }

  std::string state_of(const std::string& id) const {
    const auto told = ask({"job", id, "--json"});
    CAPTURE(told.err);
    REQUIRE(told.code == 0);
    return json::parse(told.out)["job"]["state"];
  }

  void succeeds(const std::string& id) const {
    const auto waited = ask({"wait", id, "--timeout", "100s"});
    CAPTURE(waited.out);
    CAPTURE(waited.err);
    CHECK(waited.code == 0);
  }

  json status() const { return asked_.ask(line_in("address"), {}, {}); }

  std::string run(std::vector<std::string> words) const {
    words.insert(words.end(), {"--at", line_in("address")});
    return here_.run(words).out;
  }

  const scratch& here() const { return here_; }

  std::string line_in(const std::string& file) const {
    const auto text = read_file(here_.path() / "a" / file);
    return text.substr(0, text.find('\n'));
  }

private:
  program& start(const std::string& name, std::vector<std::string> more) {
    more.insert(more.begin(), {"node", "--name", name, "--state", name});
    nodes_[name] = std::make_unique<program>(here_.path(), more);
    REQUIRE(nodes_[name]->wait_for("listens on"));
    return *nodes_[name];
  }

  scratch here_;
  mutable troupe::trials::status_client asked_;
  std::map<std::string, std::unique_ptr<program>> nodes_;
};

} // namespace

TEST_CASE("a cluster without a machine takes a job, and runs it once one has joined") {
  growing_cluster cluster;
  REQUIRE(eventually([&] {
    const auto s = cluster.status();
    return s.is_object() && s["workload"].is_object();
  }));
  const auto s = cluster.status();
  CHECK(s["begun"] == true);
  CHECK(s["machines"] == json{{"wanted", 0}, {"here", 0}, {"most", 1000}});
  CHECK(contains(cluster.run({"status"}), "machines   0 of 0; at most 1,000 may join"));
  const auto job = cluster.submit({"--", "echo", "hello"});
  CHECK(cluster.ask({"wait", job, "--timeout", "1500ms"}).code == 124);
  CHECK(cluster.state_of(job) == "queued");
  cluster.join("b", {"--cpu", "2", "--memory", "1"});
  cluster.succeeds(job);
  CHECK(cluster.ask({"logs", job}).out == "hello\n");
  CHECK(cluster.status()["machines"]["here"] == 1);
  CHECK(contains(cluster.run({"nodes"}), "1: 2 cores, 1 GiB"));
}

TEST_CASE("machines leave during the tasks, others come, and each task has run once") {
  growing_cluster cluster{{"--out", "results"}};
  cluster.join("b", {"--cpu", "3", "--memory", "1", "--attribute", "zone=a"});
  cluster.join("c", {"--cpu", "3", "--memory", "1", "--attribute", "zone=a"});
  const auto ran = cluster.here().path() / "ran";
  const auto job = cluster.submit(
    {"--count", "60", "--", "sh", "-c", "sleep 0.3; echo $TROUPE_TASK >> " + ran.string()});
  const auto lines = [&] {
    std::multiset<std::string> all;
    std::istringstream in{read_file(ran)};
    for (std::string line; std::getline(in, line);)
      all.insert(line);
    return all;
  };
  REQUIRE(eventually([&] { return lines().size() >= 6; }));
  CHECK(cluster.here().run({"drain", "b", "--wait", "--at", cluster.line_in("address")}).code == 0);
  check_ends_well(cluster.node("b"), SIGTERM);
  cluster.join("d", {"--cpu", "1", "--memory", "1", "--attribute", "zone=b"});
  REQUIRE(eventually([&] { return cluster.status()["nodes"].size() == 3; }));
  check_ends_well(cluster.node("c"), SIGTERM);
  cluster.succeeds(job);
  CHECK(lines().size() == 60);
  const auto all = lines();
  CHECK(std::set<std::string>{all.begin(), all.end()}.size() == 60);
  std::string on;
  const auto status = cluster.status();
  for (const auto& n : status["nodes"])
    on += n["name"].get<std::string>() + " " + n["state"].get<std::string>() + "; ";
  CHECK(on == "a here; d here; ");
  const auto recorded = cluster.ask({"record", "--config", "jobs.toml", "--out", "past", "--json"});
  CAPTURE(recorded.err);
  REQUIRE(recorded.code == 0);
  CHECK(json::parse(recorded.out)["machines"] == 3); // two of which have left
  const auto trace = read_file(cluster.here().path() / "past" / "recording.jsonl");
  CHECK(contains(trace, R"({"machine":"b","at_s":)"));
  CHECK(contains(trace, R"("capacity":{},"attributes":{)"));
  const auto replay =
    cluster.here().run({"run", "past/run.toml", "--out", "replay", "--quiet", "--json"});
  REQUIRE(replay.code == 0);
  CHECK(json::parse(replay.out)["summary"]["tasks"]["finished"] == 60);
  check_ends_well(cluster.node("a"), SIGTERM);
  const auto summary = json::parse(read_file(cluster.here().path() / "results" / "summary.json"));
  CHECK(summary["machines"] == 2); // at a time, and not cluster.machines
}

TEST_CASE("what a killed node has left running counts as in use when it is started again") {
  growing_cluster cluster;
  const std::vector<std::string> offer{"--cpu", "2", "--memory", "1"};
  cluster.join("b", offer);
  const auto done = (cluster.here().path() / "done").string();
  const auto go = cluster.here().path() / "go";
  const auto first =
    cluster.submit({"--cpu", "2", "--", "sh", "-c",
                    "while ! test -e " + go.string() + "; do sleep 0.05; done; echo > " + done});
  REQUIRE(eventually([&] { return cluster.state_of(first) == "running"; }));
  cluster.kill("b");
  cluster.join("c", offer);
  cluster.join("b", offer);
  // The first job is queued again, for the node says nothing of it, and waits on the other machine
  // until it is known to have ended.
  REQUIRE(eventually([&] { return cluster.status()["machines"]["here"] == 2; }));
  const auto second = cluster.submit({"--cpu", "2", "--", "test", "-e", done});
  CHECK(cluster.ask({"wait", second, "--timeout", "2s"}).code == 124);
  cluster.here().write("go", "");
  cluster.succeeds(first);
  cluster.succeeds(second);
}

TEST_CASE("machines move so that partitions are even") {
  growing_cluster cluster{{"--set", "cluster.partitions=2", "--set", "cluster.owners=2"}};
  std::map<int, std::vector<std::string>> in; // by partition, of 500 places each
  const auto look = [&] {
    in.clear();
    const auto status = cluster.status();
    for (const auto& n : status["nodes"])
      if (n["machines"] == 1)
        in[n["first_machine"].get<int>() / 500].push_back(n["name"]);
    return in.size() == 2 && in[0].size() == in[1].size();
  };
  for (const auto* name : {"b", "c", "d", "e"})
    cluster.join(name, {"--cpu", "1", "--memory", "1"});
  REQUIRE(eventually([&] { return look() && in[0].size() == 2; }));
  for (const auto& name : std::vector{in[1]})
    check_ends_well(cluster.node(name), SIGTERM);
  REQUIRE(eventually([&] { return look() && in[0].size() == 1; }));
  const auto both = cluster.submit({"--count", "2", "--gang", "--", "true"});
  cluster.succeeds(both);
}

TEST_CASE("a machine that was killed comes back larger, and with another attribute") {
  growing_cluster cluster;
  cluster.join("b", {"--cpu", "1", "--memory", "1", "--attribute", "zone=a"});
  cluster.succeeds(cluster.submit({"--constraint", "zone=a", "--", "true"}));
  const auto large = cluster.submit({"--cpu", "3", "--", "true"});
  const auto elsewhere = cluster.submit({"--constraint", "zone=b", "--cpu", "0.1", "--", "true"});
  CHECK(cluster.ask({"wait", elsewhere, "--timeout", "1500ms"}).code == 124);
  CHECK(cluster.state_of(large) == "queued");
  CHECK(contains(cluster.ask({"job", large}).out,
                 "until a machine joins that holds it: no machine has 3 cores"));
  CHECK(contains(cluster.ask({"job", elsewhere}).out, "no machine meets zone == b"));
  for (int i = 0; i < 4; ++i) // with each scheduler
    cluster.succeeds(cluster.submit({"--", "true"}));
  cluster.kill("b");
  cluster.join("b", {"--cpu", "4", "--memory", "1", "--attribute", "zone=a"});
  cluster.succeeds(large);
  CHECK(cluster.state_of(elsewhere) == "queued");
  cluster.kill("b");
  cluster.join("b", {"--cpu", "4", "--memory", "1", "--attribute", "zone=b"});
  cluster.succeeds(elsewhere);
  const auto old = cluster.submit({"--constraint", "zone=a", "--", "true"});
  cluster.join("c", {"--cpu", "1", "--memory", "1", "--attribute", "zone=a"});
  cluster.succeeds(old);
  const auto told = json::parse(cluster.ask({"job", old, "0", "--json"}).out);
  CHECK(told["task"]["runs"][0]["node"] == "c");
}

TEST_CASE("a job shows the jobs and the machines that it waits for") {
  growing_cluster cluster;
  cluster.join("b", {"--cpu", "2", "--memory", "1"});
  const auto gang = cluster.submit({"--count", "3", "--gang", "--", "true"});
  const auto first = cluster.submit({"--after", gang, "--", "true"});
  const auto second = cluster.submit({"--after", gang, "--after", first, "--", "true"});
  CHECK(cluster.ask({"wait", gang, "--timeout", "1500ms"}).code == 124);
  CHECK(contains(cluster.ask({"job", gang}).out,
                 "until machines join that hold it: all machines together hold 2 of its 3 tasks"));
  CHECK(contains(cluster.ask({"job", second}).out,
                 "until these jobs have succeeded: " + gang + ", " + first + "\n"));
  const auto listed = cluster.ask({"jobs"}).out;
  CHECK(contains(listed, "all machines together hold 2 of its 3 tasks\n"));
  CHECK(contains(listed, "waits for job " + gang + "\n"));
  CHECK(contains(listed, "waits for jobs " + gang + ", " + first + "\n"));
  cluster.join("c", {"--cpu", "1", "--memory", "1"});
  cluster.succeeds(second);
  for (const auto& over : {gang, first, second})
    CHECK_FALSE(contains(cluster.ask({"job", over}).out, "until"));
  CHECK_FALSE(contains(cluster.ask({"jobs"}).out, "waits"));
}

TEST_CASE("tenants share the machines that have joined") {
  growing_cluster cluster{{"--set", R"(tenants=[{name="default"},{name="ci",max=0.5}])"}};
  cluster.join("b", {"--cpu", "4", "--memory", "1"});
  const auto end = (cluster.here().path() / "end").string();
  const auto limited = cluster.submit({"--tenant", "ci", "--count", "4", "--", "sh", "-c",
                                       "while ! [ -e " + end + " ]; do sleep 0.05; done"});
  const auto running = [&] {
    return json::parse(cluster.ask({"job", limited, "--json"}).out)["job"]["running"].get<int>();
  };
  CHECK(eventually([&] { return running() == 2; }));
  cluster.succeeds(cluster.submit({"--count", "6", "--", "true"}));
  CHECK(running() == 2);
  const std::string at_maximum = "tenant ci may use at most 0.5 of the machines, and uses 0.5\n";
  CHECK(contains(cluster.ask({"job", limited}).out,
                 "until its tenant's maximum admits it: " + at_maximum));
  const auto queued = cluster.submit({"--tenant", "ci", "--", "true"});
  CHECK(contains(cluster.ask({"jobs"}).out, at_maximum));
  cluster.join("c", {"--cpu", "4", "--memory", "1"});
  CHECK(eventually([&] { return running() == 4; }));
  cluster.here().write("end", "");
  cluster.succeeds(limited);
  cluster.succeeds(queued);
  CHECK_FALSE(contains(cluster.ask({"job", limited}).out, "until"));
  const auto refused = cluster.ask({"submit", "--tenant", "web", "--", "true"});
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "--tenant: is \"web\"; expected \"default\" or \"ci\""));
  const auto file =
    cluster.here().write("web.toml", "tenant = \"web\"\n[[groups]]\ncommand = [\"true\"]\n");
  CHECK(contains(cluster.ask({"submit", file}).err, "web.toml: tenant: is \"web\"; expected"));
}

TEST_CASE("the larger of two jobs goes first by its share of the machines that have joined") {
  growing_cluster cluster{{"--set", "schedulers=1", "--set", "scheduler.look_past=0", "--set",
                           "scheduler.discipline=easy", "--set", "scheduler.order=multifactor",
                           "--set", "scheduler.factors={age=0,size=1,share=0,priority=0.1}"}};
  cluster.join("b", {"--cpu", "3", "--memory", "1"});
  const auto end = (cluster.here().path() / "end").string();
  const auto running = cluster.submit(
    {"--cpu", "3", "--", "sh", "-c", "while ! [ -e " + end + " ]; do sleep 0.05; done"});
  CHECK(eventually([&] { return cluster.state_of(running) == "running"; }));
  const auto small = cluster.submit({"--priority", "1", "--", "true"});
  const auto large = cluster.submit({"--cpu", "3", "--", "true"});
  cluster.here().write("end", "");
  cluster.succeeds(small);
  cluster.succeeds(large);
  const auto started = [&](const std::string& id) {
    const auto job = json::parse(cluster.ask({"job", id, "--json"}).out)["job"];
    return job["started_ms"].get<std::int64_t>();
  };
  CHECK(started(large) < started(small));
}

TEST_CASE("schedulers from plugins place commands on machines that join, change and leave") {
  struct plugin {
    const char* actor;
    const char* library;
    const char* architecture;
  };
  for (const auto& p :
       {plugin{"faulty", "faulty_scheduler", "parsync"},
        plugin{"faulty", "faulty_scheduler", "static"}, plugin{"prober", "prober", "sparrow"}}) {
    const std::string architecture = p.architecture;
    CAPTURE(architecture);
    growing_cluster cluster{{"--plugin", TROUPE_PLUGIN_DIR "/" + std::string{p.library} + ".so",
                             "--set", "architecture=" + architecture, "--set",
                             "scheduler.actor=" + std::string{p.actor}, "--set", "schedulers=2",
                             "--set", "cluster.partitions=2", "--set", "cluster.owners=2", "--set",
                             "cluster.machines=20"}};
    const auto first = cluster.submit({"--count", "4", "--", "true"});
    const auto far = cluster.submit({"--constraint", "zone=b", "--", "true"});
    const auto nowhere = cluster.submit({"--constraint", "zone=x", "--", "true"});
    cluster.join("b", {"--cpu", "2", "--memory", "1", "--attribute", "zone=a"});
    // The order of machines decides on their partitions, and static schedulers have one each.
    REQUIRE(eventually([&] { return cluster.status()["machines"]["here"] == 1; }));
    cluster.join("c", {"--cpu", "2", "--memory", "1", "--attribute", "zone=a"});
    cluster.succeeds(first);
    CHECK(cluster.state_of(far) == "queued");
    cluster.join("d", {"--cpu", "1", "--memory", "1", "--attribute", "zone=b"});
    cluster.join("e", {"--cpu", "1", "--memory", "1", "--attribute", "zone=b"});
    cluster.succeeds(far);

    const auto many = cluster.submit({"--count", "30", "--cpu", "0.5", "--", "sleep", "0.3"});
    CHECK(cluster.here().run({"drain", "b", "--wait", "--at", cluster.line_in("address")}).code ==
          0);
    check_ends_well(cluster.node("b"), SIGTERM);
    cluster.kill("c");
    cluster.join("c", {"--cpu", "4", "--memory", "1", "--attribute", "zone=c"});
    if (architecture == "static") // the job's scheduler has one partition; f joins the other one
      cluster.join("f", {"--cpu", "4", "--memory", "1", "--attribute", "zone=c"});
    cluster.succeeds(many);
    const auto changed = cluster.submit({"--constraint", "zone=c", "--cpu", "4", "--", "true"});
    cluster.succeeds(changed);

    const auto together = cluster.ask({"submit", "--gang", "--count", "2", "--", "true"});
    CHECK(together.code == (p.actor == std::string{"prober"} ? 2 : 0));
    if (together.code != 0)
      CHECK(contains(together.err, "--gang: is true; expected false, as schedulers of this "
                                   "cluster probe machines"));

    CHECK(cluster.state_of(nowhere) == "queued");
    CHECK(cluster.ask({"cancel", nowhere}).code == 0);
    CHECK(cluster.ask({"wait", nowhere, "--timeout", "100s"}).code == 3);
    check_ends_well(cluster.node("a"), SIGTERM);
  }
}
