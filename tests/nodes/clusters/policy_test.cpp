#include "nodes/running_cluster.hpp"
#include "support/contains.hpp"
#include "support/documented_json.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>

using namespace troupe::test;

namespace {

json policies_of(const running_cluster& cluster) {
  const auto asked = cluster.here().run({"policy", "--json"});
  return asked.code == 0 ? json::parse(asked.out) : json(nullptr);
}

/// Whether all schedulers have confirmed what is meant for them: scheduler 0 the policy `first`,
/// the others `rest`.
bool all_have(const running_cluster& cluster, const std::string& first, const std::string& rest) {
  const auto all = policies_of(cluster);
  return all.is_object() && std::ranges::all_of(all["schedulers"], [&](const json& s) {
           return s["state"] == "in force" && s["policy"] == (s["number"] == 0 ? first : rest);
         });
}

/// Whether all schedulers themselves say so to the recorder.
bool all_say(const running_cluster& cluster, const std::string& first, const std::string& rest) {
  const auto asked = cluster.here().run({"top", "--json"});
  if (asked.code != 0)
    return false;
  const auto schedulers = json::parse(asked.out)["schedulers"];
  return schedulers.size() == 4 && std::ranges::all_of(schedulers, [&](const json& s) {
           return s["state"] == "up" && s["policy"] == (s["number"] == 0 ? first : rest);
         });
}

} // namespace

TEST_CASE("schedulers take another policy while tasks run, and so do their successors") {
  running_cluster cluster{{"--restart", "--set", endless}};
  const documented_json documented;
  cluster.wait_until_finished();
  const auto at_first = policies_of(cluster);
  REQUIRE(at_first.is_object());
  CHECK(at_first["schedulers"][0]["policy"] == "adaptive");
  CHECK(at_first["schedulers"][0]["by"] == "settings");
  for (const auto& fault : documented.faults("policy", at_first))
    FAIL_CHECK(fault);

  const auto changed = cluster.here().run({"policy", "set", "latency-first", "--json"});
  CAPTURE(changed.err);
  REQUIRE(changed.code == 0);
  const auto told = json::parse(changed.out);
  for (const auto& fault : documented.faults("policy set", told))
    FAIL_CHECK(fault);
  CHECK(told["in_force"] == json{0, 1, 2, 3});
  CHECK(all_have(cluster, "latency-first", "latency-first"));
  CHECK(eventually([&] { return all_say(cluster, "latency-first", "latency-first"); }));

  const auto one = cluster.here().run(
    {"policy", "set", "adaptive", "--set", "policy.tau=123ms", "--scheduler", "0"});
  CAPTURE(one.err);
  REQUIRE(one.code == 0);
  CHECK(one.out == "scheduler 0 has policy adaptive (ema_weight = 0.1, tau = 123ms) now\n");
  CHECK(contains(cluster.here().run({"status"}).out, "policy     adaptive 1, latency-first 3"));
  CHECK(eventually([&] {
    const auto top = cluster.here().run({"top", "--once"}).out;
    return contains(top, "parsync/adaptive+latency-first");
  }));

  // The nodes with all owners and schedulers are killed one by one, and come back.
  for (const char* name : {"node-2", "node-3", "node-4"}) {
    const auto killed = cluster.pid_of(name);
    kill(killed, SIGKILL);
    CHECK(eventually([&] {
      const auto node = cluster.node(name);
      return node["pid"] != killed && node["state"] == "here";
    }));
  }
  CHECK(eventually([&] { return all_have(cluster, "adaptive", "latency-first"); }));
  CHECK(eventually([&] { return all_say(cluster, "adaptive", "latency-first"); }));
  CHECK(contains(cluster.here().run({"policy"}).out, "tau = 123ms"));
  cluster.wait_until_finished(cluster.workload()["finished"].get<int>() + 200);

  cluster.up().send_signal(SIGINT);
  CHECK(cluster.up().wait().code == 130);
  CHECK(cluster.none_is_left());
  const auto summary = cluster.summary();
  REQUIRE(summary["policy_changes"].size() == 1); // the other one is not of the whole group
  CHECK(summary["policy_changes"][0]["from"] == "adaptive");
  CHECK(summary["policy_changes"][0]["to"] == "latency-first");
  for (const auto& check : summary["checks"])
    CHECK_MESSAGE(check["passed"].get<bool>(), check.dump());
  const auto rows = cluster.file("timeseries.csv");
  CHECK(contains(rows, ",policy\r\n"));
  CHECK(contains(rows, ",adaptive\r\n"));
  CHECK(contains(rows, ",latency-first\r\n"));
  const auto events = cluster.file("events.csv");
  CHECK(contains(events, "policy,scheduler.0,\"latency-first, with 3 more schedulers\""));
  CHECK(contains(events, "policy,scheduler.0,\"adaptive (ema_weight = 0.1, tau = 123ms)\""));
  CHECK(contains(read_file(cluster.here().path() / "cluster" / "node-1" / "log"),
                 "master: policy latency-first from "));
}

TEST_CASE("policies that cannot be set are refused, and nothing changes") {
  running_cluster cluster{{"--nodes", "2", "--set", endless_trickle}};
  const std::vector<std::pair<std::vector<std::string>, const char*>> mistakes{
    {{"latncy-first"}, "(did you mean 'latency-first'?); expected one of adaptive, best-fit, "},
    {{"adaptive", "--set", "policy.tow=1s"}, "expected policy.tau or policy.ema_weight"},
    {{"adaptive", "--set", "policy.tau=soon"}, "key 'policy.tau': value \"soon\"; expected"},
    {{"adaptive", "--scheduler", "4"}, "there is no scheduler 4; expected a number from 0 to 3"}};
  for (const auto& [words, complaint] : mistakes) {
    std::vector<std::string> command{"policy", "set"};
    command.insert(command.end(), words.begin(), words.end());
    const auto refused = cluster.here().run(command);
    CAPTURE(refused.err);
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, complaint));
    CHECK(refused.out.empty());
  }
  CHECK(eventually([&] { return all_have(cluster, "adaptive", "adaptive"); }));
  cluster.up().send_signal(SIGINT);
  cluster.up().wait();
}

TEST_CASE("policies are shown and set over the API of a node that has no master") {
  running_cluster cluster{
    {"--nodes", "2", "--serve", "127.0.0.1:0", "--serve-tls", "--set", endless_trickle}};
  const documented_json documented;
  auto url = read_file(cluster.here().path() / "cluster" / "node-3" / "page");
  url = url.substr(0, url.find('\n'));
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"--api", url, "--certs", "cluster/certs", "--as", "client"});
    return cluster.here().run(words);
  };
  REQUIRE(eventually([&] {
    const auto shown = ask({"policy", "--json"});
    return shown.code == 0 && documented.faults("policy", json::parse(shown.out)).empty();
  }));
  CHECK(contains(ask({"policy"}).out, "adaptive (ema_weight = 0.1, tau = 1500ms)"));
  const auto at_directory = cluster.here().run({"policy"}); // with the certificates there
  CAPTURE(at_directory.err);
  CHECK(contains(at_directory.out, "adaptive (ema_weight = 0.1, tau = 1500ms)"));

  const auto changed = ask({"policy", "set", "latency-first", "--json"});
  CAPTURE(changed.err);
  REQUIRE(changed.code == 0);
  const auto told = json::parse(changed.out);
  for (const auto& fault : documented.faults("policy set", told))
    FAIL_CHECK(fault);
  CHECK(told["in_force"] == json{0, 1, 2, 3});
  const auto one =
    ask({"policy", "set", "adaptive", "--set", "policy.tau=123ms", "--scheduler", "0"});
  CHECK(one.code == 0);
  CHECK(one.out == "scheduler 0 has policy adaptive (ema_weight = 0.1, tau = 123ms) now\n");
  CHECK(all_have(cluster, "adaptive", "latency-first")); // as the nodes tell it
  CHECK(ask({"policy"}).out == cluster.here().run({"policy"}).out);

  const auto refused = ask({"policy", "set", "latncy-first"});
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "(did you mean 'latency-first'?); expected one of adaptive, "));
  CHECK(refused.err.find("did you mean") == refused.err.rfind("did you mean"));
  CHECK(ask({"policy", "set", "best-fit", "--at", "127.0.0.1:1"}).code == 2);
  CHECK(cluster.here().run({"policy", "--token", "file"}).code == 2);
  CHECK(all_have(cluster, "adaptive", "latency-first"));
  cluster.up().send_signal(SIGINT);
  cluster.up().wait();
}

TEST_CASE("schedulers that probe machines have no policy to set") {
  running_cluster cluster{
    {"--nodes", "2", "--set", endless_trickle, "--set", "architecture=sparrow"}};
  const auto refused = cluster.here().run({"policy", "set", "latency-first"});
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "no scheduler of this cluster has a policy that can be changed"));
  CHECK(policies_of(cluster)["schedulers"][0]["changeable"] == false);
  cluster.up().send_signal(SIGINT);
  cluster.up().wait();
}

TEST_CASE("a policy of a plugin is set where the nodes have it, unless it refuses its settings") {
  running_cluster cluster{
    {"--nodes", "2", "--set", endless_trickle, "--plugin", TROUPE_PLUGIN_DIR "/faulty_policy.so"}};
  for (const auto& [setting, complaint] :
       {std::pair{"policy.faulty.fault=make", "make() threw: there is no such thing as a fault"},
        std::pair{"policy.faulty.level=2", "key 'policy.faulty.level': value 2; expected"}}) {
    const auto refused = cluster.here().run({"policy", "set", "faulty", "--set", setting});
    CAPTURE(refused.err);
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, complaint));
  }
  const auto set =
    cluster.here().run({"policy", "set", "faulty", "--set", "policy.faulty.count=11"});
  CAPTURE(set.err);
  CHECK(set.code == 0);
  CHECK(contains(set.out, "schedulers 0 to 3 have policy faulty ("));
  CHECK(contains(set.out, "count = 11"));
  cluster.wait_until_finished(cluster.workload()["finished"].get<int>() + 20);
  cluster.up().send_signal(SIGINT);
  cluster.up().wait();
}
