#include "report/page/run_directory.hpp"
#include "report/page/tables/notable.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace troupe;

namespace {

bool says(const run_folder& run, const std::string& part) {
  return std::ranges::any_of(notable_of(run), [&](const std::string& sentence) {
    return sentence.find(part) != std::string::npos;
  });
}

/// A run of which nothing is odd.
run_folder calm_run() {
  const run_directory here;
  auto run = read_run_folder(here.path());
  auto& s = run.summary;
  for (auto& check : s["checks"])
    check["passed"] = true;
  s["interrupted"] = false;
  s["tasks"] = {{"submitted", 1000}, {"placed", 1000}, {"finished", 990}, {"failed", 0},
                {"lost", 0},         {"abandoned", 0}, {"queued", 1},     {"in_commit", 0}};
  s["conflict_fraction"] = 0.01;
  s["busyness"] = 0.5;
  for (auto& group : s["groups"])
    group["busyness"] = 0.5;
  s["utilization"] = {{"mean", 0.5}, {"max", 0.6}};
  s["commits"] = {{"sent", 1000}, {"retransmitted", 0}};
  s["preemptions"] = {{"tasks", 0}};
  s["failures"] = nlohmann::ordered_json::object();
  const auto phase = [](double from, double to, double conflicts, double p99) {
    return nlohmann::ordered_json{{"from_s", from},
                                  {"to_s", to},
                                  {"group", "all"},
                                  {"conflicts", conflicts},
                                  {"conflict_fraction", conflicts / 1000},
                                  {"scheduling_delay_s", {{"p99", p99}}}};
  };
  s["phases"] = {phase(0, 200, 30, 0.2), phase(200, 400, 40, 0.3)};
  run.events = {};
  return run;
}

} // namespace

TEST_CASE("a page says that nothing is odd, and how long queues were") {
  const auto run = calm_run();
  CHECK(says(run, "Nothing is odd"));
  CHECK(says(run, "never held more than"));
  CHECK(notable_of(run).size() == 2);
}

TEST_CASE("a page says what is odd about a run") {
  const auto odd = [](const std::string& expected, auto&& change) {
    auto run = calm_run();
    change(run);
    CAPTURE(expected);
    CHECK(says(run, expected));
    CHECK_FALSE(says(run, "Nothing is odd"));
  };
  odd("self-check", [](run_folder& r) { r.summary["checks"][0]["passed"] = false; });
  odd("interrupted", [](run_folder& r) { r.summary["interrupted"] = true; });
  odd("cannot keep up", [](run_folder& r) { r.summary["groups"][0]["busyness"] = 0.99; });
  odd("full in the mean", [](run_folder& r) { r.summary["utilization"]["mean"] = 0.98; });
  odd("3 of 1,000 tasks were given up", [](run_folder& r) { r.summary["tasks"]["abandoned"] = 3; });
  odd("still wait", [](run_folder& r) { r.summary["tasks"]["queued"] = 100; });
  odd("From 200 to 400 s, conflicts per placement are 10.0 times those from 0 to 200 s",
      [](run_folder& r) {
        r.summary["phases"][1]["conflicts"] = 300;
        r.summary["phases"][1]["conflict_fraction"] = 0.3;
      });
  odd("Conflicts per placement occur from 200 to 400 s, and none from 0 to 200 s",
      [](run_folder& r) { r.summary["phases"][0]["conflict_fraction"] = 0; });
  odd("delays (p99)",
      [](run_folder& r) { r.summary["phases"][1]["scheduling_delay_s"]["p99"] = 5; });
  odd("25.0 refused placements for 100",
      [](run_folder& r) { r.summary["conflict_fraction"] = 0.25; });
  odd("2 failures, 0 takeovers", [](run_folder& r) { r.summary["failures"]["kill owner"] = 2; });
  odd("sent again", [](run_folder& r) { r.summary["commits"]["retransmitted"] = 50; });
  odd("preempted", [](run_folder& r) { r.summary["preemptions"]["tasks"] = 50; });
}

TEST_CASE("few conflicts and short delays of a phase are not worth a word") {
  auto run = calm_run();
  run.summary["phases"][1]["conflicts"] = 10;
  run.summary["phases"][1]["conflict_fraction"] = 0.3;
  run.summary["phases"][0]["scheduling_delay_s"]["p99"] = 0.0001;
  run.summary["phases"][1]["scheduling_delay_s"]["p99"] = 0.005;
  CHECK(says(run, "Nothing is odd"));
}

TEST_CASE("offers that end before a decision are notable") {
  auto run = calm_run();
  auto& group = run.summary["groups"][0];
  group["name"] = "slow";
  group["offers"] = {{"made", 100}, {"accepted", 95}, {"rescinded", 5}};
  CHECK(says(run, "Nothing is odd"));
  group["offers"] = {{"made", 100}, {"accepted", 60}, {"rescinded", 40}};
  CHECK(says(run, "40 of 100 offers to group slow were taken back after offers.timeout"));
  group["offers"] = {{"made", 100}, {"accepted", 0}, {"rescinded", 100}};
  CHECK(says(run, "Group slow never used an offer: 100 were taken back"));
}

TEST_CASE("lost nodes of a cluster are notable, and so are takeovers") {
  auto run = calm_run();
  run.events.texts["event"] = {"node lost", "takeover", "takeover", "node back"};
  CHECK(says(run, "1 lost node, 2 takeovers."));
  run.events.texts["event"] = {"node joined"};
  CHECK(says(run, "Nothing is odd."));
}
