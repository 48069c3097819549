#include "nodes/running_cluster.hpp"
#include "support/contains.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <unistd.h>
#include <utility>

using namespace troupe::test;

namespace {

/// A cluster of machines that run commands.
struct working_cluster {
  std::string settings = read_file(TROUPE_SOURCE_DIR "/configs/jobs.toml");
  running_cluster cluster;

  explicit working_cluster(const std::vector<std::string>& more = {})
    : cluster{more, settings.c_str()} {}

  outcome run(const std::vector<std::string>& words) const { return cluster.here().run(words); }

  json run_json(std::vector<std::string> words) const {
    words.emplace_back("--json");
    const auto told = run(words);
    CAPTURE(told.err);
    REQUIRE(told.code == 0);
    return json::parse(told.out);
  }

  std::string submit(std::vector<std::string> words) const {
    words.insert(words.begin(), {"submit", "--quiet"});
    const auto told = run(words);
    CAPTURE(told.err);
    REQUIRE(told.code == 0);
    return told.out.substr(0, told.out.find('\n'));
  }
};

std::multiset<std::string> lines_of(const std::string& text) {
  std::multiset<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    lines.insert(line);
  return lines;
}

} // namespace

TEST_CASE("the commands of a job run on the machines of a cluster") {
  working_cluster here;
  const auto told = here.run({"submit", "--name", "hello", "--count", "20", "--", "sh", "-c",
                              "echo $TROUPE_TASK_ID; echo oh >&2"});
  CAPTURE(told.err);
  REQUIRE(told.code == 0);
  CHECK(contains(told.out, "job 1 is accepted; 'troupe wait 1' waits for its end"));
  const auto waited = here.run({"wait", "1", "--timeout", "60s"});
  CHECK(waited.code == 0);
  CHECK(contains(waited.out, "job 1 has succeeded: 20 tasks in "));

  std::multiset<std::string> expected;
  for (int t = 0; t < 20; ++t)
    expected.insert("1." + std::to_string(t));
  CHECK(lines_of(here.run({"logs", "1"}).out) == expected);
  CHECK(here.run({"logs", "1", "7"}).out == "1.7\n");
  CHECK(contains(here.run({"logs", "1", "--attempt", "2"}).err, "20 tasks have no attempt 2"));
  CHECK(here.run({"logs", "1", "7", "-f", "--stderr"}).out == "oh\n");

  const auto jobs = here.run_json({"jobs"})["jobs"];
  REQUIRE(jobs.size() == 1);
  CHECK(jobs[0]["id"] == 1);
  CHECK(jobs[0]["name"] == "hello");
  CHECK(jobs[0]["state"] == "succeeded");
  CHECK(jobs[0]["succeeded"] == 20);
  const auto task = here.run_json({"job", "1", "7"})["task"];
  REQUIRE(task["runs"].size() == 1);
  CHECK(task["runs"][0]["exit_code"] == 0);
  CHECK(task["runs"][0]["out_bytes"] == 4);
  CHECK(contains(here.run({"jobs"}).out, "succeeded"));
  CHECK(contains(here.run({"job", "1", "--tasks"}).out, "1.19"));

  const auto pids = here.cluster.status()["nodes"].size();
  CHECK(pids == 4);
  here.cluster.up().send_signal(SIGINT);
  CHECK(here.cluster.up().wait().code == 130);
  CHECK(here.cluster.none_is_left());
  // The job came before the cluster's time 0, and counts nevertheless.
  const auto tasks = here.cluster.summary()["tasks"];
  CHECK(tasks["submitted"] == 20);
  CHECK(tasks["placed"] == 20);
  CHECK(tasks["finished"] == 20);
}

TEST_CASE("jobs fail, are retried and cancelled, and commands say so by their exit codes") {
  working_cluster here;
  const auto bad = here.submit({"--retries", "1", "--", "sh", "-c", "exit 7"});
  const auto lost = here.run({"wait", bad, "--timeout", "60s"});
  CHECK(lost.code == 3);
  CHECK(contains(lost.out, "has failed: 1 failed of 1 task; "));
  CHECK(contains(lost.out, "exit code 7"));
  CHECK(here.run_json({"job", bad, "0"})["task"]["runs"].size() == 2);
  CHECK(eventually([&] { return here.cluster.status()["workload"]["failed"] == 2; }));
  const auto after = here.submit({"--after", bad, "--", "true"});
  CHECK(here.run({"wait", after, "--timeout", "60s"}).code == 3);

  const auto endless = here.submit({"--", "sleep", "1000"});
  CHECK(eventually([&] { return here.run_json({"job", endless})["job"]["state"] == "running"; }));
  CHECK(here.run({"wait", endless, "--timeout", "100ms"}).code == 124);
  CHECK(here.run({"wait", endless, "--timeout", "-1s"}).code == 2);
  CHECK_FALSE(contains(here.run({"job", endless, "0"}).out, " -  ")); // the time it has run
  CHECK(here.run({"cancel", endless}).code == 0);
  CHECK(here.run({"wait", endless, "--timeout", "60s"}).code == 3);
  CHECK(here.run_json({"job", endless, "0"})["task"]["runs"][0]["reason"] == "cancelled");

  CHECK(here.run({"wait", "4711"}).code == 5);
  CHECK(here.run({"logs", "4711"}).code == 5);
  CHECK(here.run({"submit", "--memory", "lots", "--", "true"}).code == 2);
  const auto missing = here.submit({"--", "no-such-program"});
  CHECK(here.run({"wait", missing, "--timeout", "60s"}).code == 3);
  CHECK(contains(here.run({"job", missing, "0"}).out, "no-such-program: No such file"));
}

TEST_CASE("commands wait for the end of a window of their machines, or end before it") {
  const auto in = [](std::chrono::seconds from_now) {
    const auto at =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()) + from_now.count();
    std::tm utc{};
    gmtime_r(&at, &utc);
    char text[sizeof "2026-12-01T08:00:00Z"];
    REQUIRE(std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0);
    return std::pair{std::string{text}, static_cast<std::int64_t>(at) * 1000};
  };
  for (const std::string architecture : {"parsync", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    const scratch files;
    const auto end = in(std::chrono::seconds{20});
    files.write("windows.csv", "start,end,partitions\n" + in(std::chrono::seconds{-60}).first +
                                 "," + end.first + ",0\n" + in(std::chrono::hours{2}).first + "," +
                                 in(std::chrono::hours{3}).first + ",0\n");
    working_cluster here{{"--set", "architecture=" + architecture, "--set",
                          "cluster.windows=" + (files.path() / "windows.csv").string()}};
    const auto endless = here.submit({"--", "true"});
    const auto brief = here.submit({"--timeout", "60s", "--count", "5", "--", "true"});
    const auto waited = here.run({"wait", brief, "--timeout", "100s"});
    CAPTURE(waited.out);
    CHECK(waited.code == 0);
    for (int task = 0; task < 5; ++task) {
      const auto runs = here.run_json({"job", brief, std::to_string(task)})["task"]["runs"];
      REQUIRE(runs.size() == 1);
      CHECK(runs[0]["started_ms"].get<std::int64_t>() > end.second - 100);
    }
    // It may take for ever, and the next window begins in two hours.
    CHECK(here.run_json({"job", endless})["job"]["state"] == "queued");
    CHECK(here.run({"cancel", endless}).code == 0);
  }
}

TEST_CASE("words of a command are passed on as they are, and each attempt is followed") {
  working_cluster here;
  const auto words =
    here.submit({"--", "printf", "%s|", "[x,y]", "[]", R"(["a"])", "[[ -d / ]]", "\1[z]", "--"});
  REQUIRE(here.run({"wait", words, "--timeout", "60s"}).code == 0);
  CHECK(here.run({"logs", words}).out == "[x,y]|[]|[\"a\"]|[[ -d / ]]|\1[z]|--|");
  // On a busy host an attempt may not begin within 30 s, and is repeated: then it is all done
  // again.
  for (std::size_t attempts = 0; attempts != 2;) {
    const auto twice =
      here.submit({"--retries", "1", "--", "sh", "-c",
                   "for i in 1 2 3; do echo $TROUPE_ATTEMPT.$i; [ $TROUPE_ATTEMPT = "
                   "1 ] && [ $i = 2 ] && exit 1; sleep 0.1; done; exit 1"});
    REQUIRE(eventually([&] { return here.run({"logs", twice, "0"}).code == 0; }));
    const auto followed = here.run({"logs", twice, "0", "-f"}).out;
    const auto task = here.run_json({"job", twice, "0"})["task"];
    CAPTURE(task.dump());
    attempts = task["runs"].size();
    CHECK((attempts > 2 || contains(followed, "2.1\n2.2\n2.3\n")));
    CHECK(
      (attempts > 2 || here.run({"logs", twice, "0", "-f", "--attempt", "1"}).out == "1.1\n1.2\n"));
  }
}

TEST_CASE("tasks that were cancelled while they waited for a machine hold up no others") {
  working_cluster here{{"--set", "scheduler.look_past=2"}};
  std::vector<std::string> stuck;
  std::vector<std::string> behind;
  for (int scheduler = 0; scheduler < 2; ++scheduler)
    stuck.push_back(here.submit({"--count", "20", "--constraint", "zone=none", "--", "true"}));
  for (int scheduler = 0; scheduler < 2; ++scheduler)
    behind.push_back(here.submit({"--", "true"}));
  CHECK(here.run({"wait", behind[0], "--timeout", "500ms"}).code != 0);
  CHECK(here.run({"cancel", stuck[0], stuck[1]}).code == 0);
  CHECK(here.run({"wait", behind[0], behind[1], "--timeout", "60s"}).code == 0);
}

TEST_CASE("what a cluster ran is recorded, and a run in virtual time replays it") {
  working_cluster here;
  const auto wide = here.submit({"--count", "8", "--cpu", "0.5", "--", "sleep", "2"});
  const auto last =
    here.submit({"--after", wide, "--priority", "2", "--tenant", "ci", "--", "sleep", "0.2"});
  const auto endless = here.submit({"--", "sleep", "1000"});
  REQUIRE(here.run({"wait", wide, last, "--timeout", "60s"}).code == 0);
  CHECK(eventually([&] { return here.run_json({"job", endless})["job"]["state"] == "running"; }));
  REQUIRE(here.run({"policy", "set", "best-fit", "--set", "policy.scan=9"}).code == 0);
  const auto told = here.run_json({"record", "--out", "past"});
  CHECK(told["jobs"] == 2);
  CHECK(told["tasks"] == 9);
  CHECK(told["machines"] == 3);
  CHECK(told["open"] == 1);
  CHECK(told["unstarted"] == 0);
  const auto run = here.run_json({"run", "past/run.toml", "--out", "replay", "--quiet"})["summary"];
  CHECK(run["tasks"]["submitted"] == 9);
  CHECK(run["tasks"]["finished"] == 9);
  CHECK(run["policy"] == "best-fit");
  CHECK(contains(here.run({"config", "past/run.toml"}).out, "scan = 9"));
  const auto shared =
    here.run_json({"run", "past/run.toml", "--out", "shared", "--quiet", "--set",
                   "tenants=[{name=\"default\"},{name=\"ci\"}]"})["summary"]["tenants"];
  REQUIRE(shared.size() == 2);
  CHECK(shared[1]["name"] == "ci");
  CHECK(shared[1]["share"]["mean"] > 0);
  CHECK(shared[0]["share"]["mean"] > shared[1]["share"]["mean"]);
  const auto before = here.run_json({"record", "--last", "1h", "--out", "hour"});
  CHECK(before["tasks"] == 9);
  const auto hour = here.run_json({"run", "hour/run.toml", "--out", "again", "--quiet"})["summary"];
  CHECK(hour["simulated_seconds"] == run["simulated_seconds"]); // from the first job on
  CHECK(here.run({"record", "--last", "soon"}).code == 2);
  CHECK(here.run({"record", "--last", "1ns", "--out", "none"}).code == 6);
}

TEST_CASE("a cluster goes on after all nodes but that of the jobs were killed and started anew") {
  working_cluster here{{"--restart"}};
  const auto first = here.submit({"--", "true"});
  REQUIRE(here.run({"wait", first, "--timeout", "60s"}).code == 0);
  for (const auto* name : {"node-2", "node-3", "node-4"})
    kill(here.cluster.pid_of(name), SIGKILL);
  const auto next = here.submit({"--count", "4", "--", "true"});
  CHECK(here.run({"wait", next, "--timeout", "90s"}).code == 0);
}

TEST_CASE("no task runs twice at a time, and none is lost, when a machine's node is killed") {
  working_cluster here{{"--restart", "--run-as", own_user()}};
  const auto marks = here.cluster.here().path() / "marks";
  std::filesystem::create_directory(marks);
  std::filesystem::permissions(marks, std::filesystem::perms::all);
  // The lock goes with the last process of an attempt, however that ends.
  const auto script = "cd " + marks.string() +
                      " || exit 8; exec 9> lock.$TROUPE_TASK; flock -n 9 || exit 9; sleep 0.2; "
                      "touch done.$TROUPE_TASK";
  const auto job = here.submit({"--count", "60", "--lease", "4s", "--", "sh", "-c", script});
  CHECK(eventually([&] { return std::filesystem::exists(marks / "done.5"); }));
  kill(here.cluster.pid_of("node-3"), SIGKILL);
  const auto waited = here.run({"wait", job, "--timeout", "100s"});
  CAPTURE(waited.out);
  CAPTURE(here.run({"job", job, "--tasks"}).out);
  CHECK(waited.code == 0);
  int done = 0;
  for (int t = 0; t < 60; ++t)
    done += std::filesystem::exists(marks / ("done." + std::to_string(t))) ? 1 : 0;
  CHECK(done == 60);
}

TEST_CASE("all goes on after the node that keeps the jobs was killed and started again") {
  const scratch here;
  here.write("jobs.toml", read_file(TROUPE_SOURCE_DIR "/configs/jobs.toml"));
  const auto start = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> words{"node", "--name", name, "--state", name};
    words.insert(words.end(), more.begin(), more.end());
    auto node = std::make_unique<program>(here.path(), words);
    REQUIRE(node->wait_for("listens on"));
    return node;
  };
  const auto start_keeper = [&](const std::string& listen) {
    auto node = start("a", {"--roles", "master,workload,api,owner,scheduler", "--config",
                            "jobs.toml", "--listen", listen, "--serve", "127.0.0.1:0"});
    REQUIRE(node->wait_for("serves the live page at "));
    return node;
  };
  const auto line_in = [&](const std::string& file) {
    const auto text = read_file(here.path() / "a" / file);
    return text.substr(0, text.find('\n'));
  };
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"--api", line_in("page")});
    return here.run(words);
  };
  auto keeper = start_keeper("127.0.0.1:0");
  const auto at = line_in("address");
  const auto machine = start("b", {"--roles", "machine", "--join", at, "--run-as", own_user()});
  const auto ran = here.path() / "ran";
  REQUIRE(ask({"submit", "--count", "20", "--", "sh", "-c",
               "echo $TROUPE_TASK_ID >> " + ran.string() + "; sleep 0.3"})
            .code == 0);
  REQUIRE(eventually([&] { return lines_of(read_file(ran)).size() >= 4; }));
  const auto set = here.run({"policy", "set", "worst-fit", "--set", "policy.scan=3", "--at", at});
  CAPTURE(set.err);
  CHECK(set.code == 0);
  keeper->send_signal(SIGKILL);
  keeper->wait();
  keeper = start_keeper(at);
  const auto waited = ask({"wait", "1", "--timeout", "100s"});
  CAPTURE(waited.out);
  CHECK(waited.code == 0);
  const auto lines = lines_of(read_file(ran));
  CHECK(lines.size() == 20);
  CHECK(std::set<std::string>{lines.begin(), lines.end()}.size() == 20);
  CHECK(eventually([&] {
    const auto asked = here.run({"policy", "--at", at, "--json"});
    const auto policies = asked.code == 0 ? json::parse(asked.out)["schedulers"] : json::array();
    return !policies.empty() && std::ranges::all_of(policies, [](const json& s) {
      return s["policy"] == "worst-fit" && s["settings"]["scan"] == "3" && s["state"] == "in force";
    });
  }));
}
