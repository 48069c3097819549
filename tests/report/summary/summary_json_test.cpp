#include "report/sample_results.hpp"
#include "report/summary/summary_json.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using namespace troupe;

using json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, _] : object.items())
    names.push_back(name);
  return names;
}

/// Returns whether `key` stands anywhere within `value`.
bool has_key(const json& value, const std::string& key) {
  if (value.is_object() && value.contains(key))
    return true;
  if (value.is_structured())
    for (const auto& child : value)
      if (has_key(child, key))
        return true;
  return false;
}

} // namespace

TEST_CASE("the summary has every key of the results contract") {
  const auto summary = summary_json(sample_results());
  CHECK(keys(summary) == std::vector<std::string>{"format",
                                                  "name",
                                                  "architecture",
                                                  "policy",
                                                  "clock",
                                                  "seed",
                                                  "simulated_seconds",
                                                  "interrupted",
                                                  "machines",
                                                  "tasks",
                                                  "conflicts",
                                                  "conflicts_by_cause",
                                                  "conflict_fraction",
                                                  "scheduling_delay_s",
                                                  "tasks_waiting",
                                                  "quality",
                                                  "utilization",
                                                  "resources",
                                                  "staleness_s",
                                                  "placement_staleness_s",
                                                  "oldest_partition_s",
                                                  "jobs",
                                                  "job_response_s",
                                                  "busyness",
                                                  "commits",
                                                  "snapshots",
                                                  "duplicate_grants",
                                                  "constraint_violations",
                                                  "preemptions",
                                                  "wait_s",
                                                  "attempts",
                                                  "conflicts_by_age",
                                                  "refused_staleness_s",
                                                  "messages",
                                                  "skipped_rows",
                                                  "phases",
                                                  "groups",
                                                  "checks",
                                                  "host"});
  CHECK(keys(summary["tasks"]) == std::vector<std::string>{"submitted", "placed", "finished",
                                                           "failed", "lost", "abandoned", "queued",
                                                           "in_commit", "running"});
  CHECK(keys(summary["conflicts_by_cause"]) ==
        std::vector<std::string>{"taken", "changed", "gone", "moved"});
  CHECK(keys(summary["scheduling_delay_s"]) ==
        std::vector<std::string>{"mean", "p50", "p90", "p99", "max", "censored", "at_least",
                                 "placed", "waiting", "abandoned"});
  CHECK(keys(summary["job_response_s"]) ==
        std::vector<std::string>{"mean", "p50", "p90", "p95", "p99", "max", "censored", "at_least",
                                 "finished", "open", "broken"});
  CHECK(keys(summary["quality"]) == std::vector<std::string>{"mean", "stddev"});
  CHECK(keys(summary["utilization"]) == std::vector<std::string>{"mean", "max"});
  CHECK(keys(summary["staleness_s"]) == std::vector<std::string>{"mean", "min", "max"});
  for (const auto* key : {"from_s", "to_s", "group", "tasks", "conflicts", "conflict_fraction",
                          "scheduling_delay_s", "quality", "utilization"})
    CHECK_MESSAGE(summary["phases"][0].contains(key), key);
}

TEST_CASE("the totals are those worked out by hand") {
  const auto s = summary_json(sample_results());
  CHECK(s["name"] == "sample");
  CHECK(s["seed"] == 7);
  CHECK(s["simulated_seconds"] == 2.0);
  CHECK(s["tasks"] == json{{"submitted", 15},
                           {"placed", 14},
                           {"finished", 7},
                           {"failed", 2},
                           {"lost", 1},
                           {"abandoned", 1},
                           {"queued", 0},
                           {"in_commit", 1},
                           {"running", 4}});
  CHECK(s["conflicts"] == 7);
  CHECK(s["conflicts_by_cause"] == json{{"taken", 3}, {"changed", 4}, {"gone", 0}, {"moved", 0}});
  CHECK(s["conflict_fraction"] == 0.5);
  // (8 * 0.5 + 6 * 2) / 14
  CHECK(s["scheduling_delay_s"]["mean"] == 1.14285714);
  CHECK(s["scheduling_delay_s"]["p50"].get<double>() == doctest::Approx(0.5).epsilon(0.016));
  CHECK(s["scheduling_delay_s"]["p99"].get<double>() == doctest::Approx(2).epsilon(0.016));
  CHECK(s["scheduling_delay_s"]["max"] == 2.0);
  CHECK(s["quality"]["mean"] == 2.0);
  CHECK(s["quality"]["stddev"] == 0.816496581); // of 1, 2, 3
  CHECK(s["utilization"] == json{{"mean", 0.625}, {"max", 0.75}});
  // 100 of 1,500 that were free, and of 500 in the second interval
  CHECK(s["resources"] == json{{"slots",
                                {{"utilization", {{"mean", 0.625}, {"max", 0.75}}},
                                 {"fragmentation", {{"mean", 0.0666666667}, {"max", 0.2}}}}}});
  CHECK(s["phases"][0]["resources"]["slots"]["fragmentation"]["max"] == 0.0);
  CHECK(s["staleness_s"] == json{{"mean", 0.375}, {"min", 0.125}, {"max", 0.75}});
  CHECK(s["placement_staleness_s"]["mean"] == 0.25);
  CHECK(s["oldest_partition_s"] == 0.9);
  CHECK(s["jobs"] == json{{"submitted", 3}, {"finished", 1}, {"abandoned", 0}, {"failed", 0}});
  CHECK(s["job_response_s"]["p95"] == 2.0);
  CHECK(s["busyness"] == 0.2); // 1.2 s of three schedulers' 2 s
  CHECK(s["commits"] == json{{"sent", 5}, {"retransmitted", 1}});
  CHECK(s["snapshots"] == 20);
  CHECK(s["messages"] == 1'234'567);
  CHECK(s["host"] == json{{"wall_seconds", 0.5},
                          {"cpu_seconds", 0.25},
                          {"peak_memory_bytes", 1'048'576},
                          {"speed", 4.0},
                          {"tasks_per_second", 28.0},
                          {"messages_per_second", 2469134.0},
                          {"version", "0.1.0"}});
}

TEST_CASE("attempts, what was decided in vain and conflicts by age are told") {
  auto results = sample_results();
  auto& a = results.series[0].sample.attempts;
  a.transactions = 5;
  a.conflicted = 1;
  a.aborted = 3;
  a.diverted = 2;
  a.wasted = std::chrono::milliseconds{300};
  a.at_once = 6;
  a.later.add(2);
  a.later.add(4);
  a.wait.add(0.5);
  a.granted_by_age[3] = 8;
  a.refused_by_age[3] = 2;
  a.refused_age.add(0.375, 2);
  a.gangs_placed = 1;
  a.jobs_abandoned = 4;
  const auto s = summary_json(results);
  CHECK(s["jobs"]["abandoned"] == 4);
  CHECK(s["wait_s"]["mean"] == 0.5);
  const auto& attempts = s["attempts"];
  CHECK(attempts["transactions"] == 5);
  CHECK(attempts["conflict_fraction"] == 0.25); // one in conflict, four without
  CHECK(attempts["decisions"] == 14 + 7 + 3);
  CHECK(attempts["wasted"] == 10);
  CHECK(attempts["wasted_fraction"] == 0.416666667);
  CHECK(attempts["wasted_time_fraction"] == 0.25); // of 1.2 s
  CHECK(attempts["diverted"] == 2);
  CHECK(attempts["per_task"]["mean"] == 1.5);
  CHECK(attempts["per_task"]["p50"] == 1.0);
  CHECK(attempts["per_task"]["max"] == 4.0);
  CHECK(attempts["gangs"] == json{{"placed", 1}, {"broken", 0}, {"impossible", 0}});
  REQUIRE(s["conflicts_by_age"].size() == 11);
  CHECK(s["conflicts_by_age"][3] ==
        json{{"up_to_gap", 0.4}, {"granted", 8}, {"refused", 2}, {"conflict_fraction", 0.25}});
  CHECK(s["conflicts_by_age"][10]["up_to_gap"].is_null());
  CHECK(s["conflicts_by_age"][10]["conflict_fraction"].is_null());
  CHECK(s["refused_staleness_s"]["max"] == 0.375);
  CHECK(s["groups"][0]["attempts"]["wasted"] == 10);
  CHECK(s["phases"][0]["attempts"]["transactions"] == 5);
  CHECK(s["phases"][2]["attempts"]["per_task"]["mean"].is_null());
}

TEST_CASE("preemptions are told with the work that was lost, by kind of resource") {
  auto results = sample_results();
  auto& lost = results.series[2].sample.preempted;
  lost.tasks = 3;
  lost.ran = std::chrono::milliseconds{4500};
  lost.work.add(resources{{500, 2048, 0, 1}}, 4.5);
  const auto told = summary_json(results);
  CHECK(
    told["preemptions"] ==
    json{{"tasks", 3},
         {"work_lost_s", 4.5},
         {"lost",
          {{"cpu_core_s", 2.25}, {"memory_gib_s", 9.0}, {"gpu_card_s", 0.0}, {"slot_s", 4.5}}}});
  CHECK(told["groups"][0]["preemptions"] == told["preemptions"]);
  CHECK(told["groups"][1]["preemptions"]["tasks"] == 0);
  CHECK(told["phases"][2]["preemptions"]["tasks"] == 3);
}

TEST_CASE("delays take in what waits at the end of the run, or of the phase") {
  auto results = sample_results();
  results.series[0].sample.waiting.add(0.75, 2); // 6 of them are placed in the next interval
  results.series[2].sample.waiting.add(4, 10);
  results.series[2].sample.waiting.add(0.1, 4);
  results.series[2].sample.given_up.add(0.1, 2);
  results.series[2].sample.open_jobs.add(8, 3);
  results.series[2].sample.broken_jobs.add(1, 1);
  const auto s = summary_json(results);
  const auto& delay = s["scheduling_delay_s"];
  CHECK(delay["censored"] == true);
  CHECK(delay["placed"]["count"] == 14);
  CHECK(delay["placed"]["mean"] == 1.14285714);
  CHECK(delay["waiting"]["count"] == 14);
  CHECK(delay["waiting"]["max"] == 4.0);
  CHECK(delay["abandoned"]["count"] == 2);
  // Of 24 that last longer than 0.1 s, 8 end at 0.5 s and 6 at 2 s; the others are known up to 4 s.
  CHECK(delay["mean"].get<double>() ==
        doctest::Approx((8 * 0.5 + 6 * 2 + 10 * 4) / 24.0).epsilon(0.01));
  CHECK(delay["p50"].get<double>() == doctest::Approx(2).epsilon(0.016));
  CHECK(delay["p90"] == 4.0);
  CHECK(delay["max"] == 4.0);
  CHECK(delay["at_least"] == json{"mean", "p90", "p99", "max"});
  const auto& response = s["job_response_s"];
  CHECK(response["censored"] == true);
  CHECK(response["finished"]["count"] == 1);
  CHECK(response["open"]["count"] == 3);
  CHECK(response["broken"]["max"] == 1.0);
  CHECK(response["mean"] == doctest::Approx((2 + 3 * 8) / 4.0));
  const auto& first = s["phases"][0]["scheduling_delay_s"];
  CHECK(first["waiting"]["count"] == 2);
  CHECK(first["mean"].get<double>() == doctest::Approx((8 * 0.5 + 2 * 0.75) / 10).epsilon(0.01));
  CHECK(s["groups"][0]["scheduling_delay_s"] == delay);
  CHECK(s["groups"][1]["scheduling_delay_s"]["censored"] == false);
}

TEST_CASE("there is a row for every phase and group, by phase first") {
  const auto phases = summary_json(sample_results())["phases"];
  REQUIRE(phases.size() == 4);
  CHECK(phases[0]["group"] == "a");
  CHECK(phases[0]["from_s"] == 0.0);
  CHECK(phases[0]["to_s"] == 1.0);
  CHECK(phases[0]["tasks"]["placed"] == 8);
  CHECK(phases[0]["tasks"]["queued"] == 2);
  CHECK(phases[0]["conflict_fraction"] == 0.25);
  CHECK(phases[0]["scheduling_delay_s"]["mean"] == 0.5);
  CHECK(phases[0]["utilization"] == json{{"mean", 0.5}, {"max", 0.5}});
  CHECK(phases[1]["group"] == "b");
  CHECK(phases[1]["tasks"]["submitted"] == 1);
  CHECK(phases[2]["group"] == "a");
  CHECK(phases[2]["tasks"]["placed"] == 6);
  CHECK(phases[2]["tasks"]["queued"] == 0);
  CHECK(phases[2]["quality"]["mean"] == 2.0);
  CHECK(phases[2]["utilization"]["mean"] == 0.75);
  CHECK(phases[3]["tasks"]["abandoned"] == 1);
}

TEST_CASE("there is a row for every group") {
  const auto groups = summary_json(sample_results())["groups"];
  REQUIRE(groups.size() == 2);
  CHECK(groups[0]["name"] == "a");
  CHECK(groups[0]["policy"] == "quality-first");
  CHECK(groups[0]["schedulers"] == 2);
  CHECK(groups[0]["tasks"]["placed"] == 14);
  CHECK(groups[0]["busyness"] == 0.3);
  CHECK(groups[1]["tasks"]["submitted"] == 1);
  CHECK_FALSE(groups[0].contains("utilization"));
}

TEST_CASE("an interval belongs to the phase that holds its middle") {
  auto results = sample_results();
  results.phases = {{instant{0}, std::chrono::milliseconds{1400}},
                    {std::chrono::milliseconds{1400}, std::chrono::seconds{2}}};
  const auto phases = summary_json(results)["phases"];
  CHECK(phases[0]["tasks"]["placed"] == 8);
  CHECK(phases[2]["tasks"]["placed"] == 6);
}

TEST_CASE("self-checks are told one by one") {
  const auto checks = summary_json(sample_results())["checks"];
  CHECK(checks == json::parse(R"([
    {"name": "tasks balance", "passed": true, "detail": "1,000 submitted"},
    {"name": "no machine over capacity", "passed": false, "detail": ""}])"));
}

TEST_CASE("what was not measured is null") {
  const auto s = summary_json(run_results{});
  CHECK(s["conflict_fraction"].is_null());
  CHECK(s["scheduling_delay_s"]["p99"].is_null());
  CHECK(s["quality"]["mean"].is_null());
  CHECK(s["staleness_s"]["max"].is_null());
  CHECK(s["job_response_s"]["p50"].is_null());
  CHECK(s["host"]["tasks_per_second"].is_null());
  CHECK(s["phases"] == json::array());
  CHECK(s["skipped_rows"] == json::object());
  CHECK(s["tasks"]["submitted"] == 0);
}

TEST_CASE("a number that is not finite is null and never breaks the file") {
  auto results = sample_results();
  results.utilization_max = std::numeric_limits<double>::quiet_NaN();
  results.host.wall_seconds = std::numeric_limits<double>::infinity();
  const auto parsed = json::parse(summary_text(results));
  CHECK(parsed["utilization"]["max"].is_null());
  CHECK(parsed["host"]["wall_seconds"].is_null());
}

TEST_CASE("whatever depends on the machine stands under host and nowhere else") {
  auto one = sample_results();
  auto other = one;
  other.host = {123, 456, 789, "9.9.9"};
  auto a = summary_json(one);
  auto b = summary_json(other);
  CHECK(a["host"] != b["host"]);
  a.erase("host");
  b.erase("host");
  CHECK(a.dump() == b.dump());
  CHECK_FALSE(has_key(a, "wall_seconds"));
  CHECK_FALSE(has_key(a, "tasks_per_second"));
}

TEST_CASE("the same results give the same text, and it ends with a newline") {
  const auto text = summary_text(sample_results());
  CHECK(text == summary_text(sample_results()));
  CHECK(text.back() == '\n');
  CHECK(json::parse(text) == summary_json(sample_results()));
}

TEST_CASE("a name that is not UTF-8 does not lose the results") {
  auto results = sample_results();
  results.name = std::string(1, '\xff');
  CHECK(json::parse(summary_text(results))["seed"] == 7);
}

TEST_CASE("the summary of a run that measures parallel jobs has their figures") {
  CHECK_FALSE(summary_json(sample_results()).contains("parallel_jobs"));
  auto results = sample_of_parallel_jobs();
  for (auto& row : results.series)
    row.resources[static_cast<std::size_t>(resource::slots)].capacity = 4; // for 1 s each
  const auto summary = summary_json(results);
  const auto& of = summary["parallel_jobs"];
  CHECK(of["jobs"] == 2);
  CHECK(of["wait_s"]["mean"] == 0.5);
  CHECK(of["response_s"]["mean"] == 1.5);
  CHECK(of["bounded_slowdown"]["max"] == 1);
  CHECK(of["by_width"]["2-4"]["jobs"] == 1);
  CHECK(of["by_width"]["1"]["wait_s"]["mean"] == 1);
  CHECK(of["by_width"]["over_256"]["wait_s"]["mean"].is_null());
  CHECK(of["by_estimate"]["none"]["jobs"] == 1);
  CHECK(of["by_estimate"]["to_10_min"]["jobs"] == 1);
  CHECK(of["makespan_s"] == 2);
  const auto processors = of["processors"].get<double>();
  CHECK(of["processor_utilization"].get<double>() == doctest::Approx(3 / (2 * processors)));
  CHECK(of["loss_of_capacity"].get<double>() ==
        doctest::Approx((processors - 2) / (2 * processors)));
  CHECK(keys(of) == std::vector<std::string>{"jobs", "wait_s", "response_s", "bounded_slowdown",
                                             "open", "by_width", "by_estimate", "processors",
                                             "makespan_s", "processor_utilization",
                                             "loss_of_capacity", "idle_while_waiting"});
}
