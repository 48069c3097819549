#include "report/timeline/timeline.hpp"
#include "runtime/recording.hpp"
#include "support/trace_check.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace troupe::test::timelines {

using nlohmann::json;

namespace {

/// Draws a run, and keeps its records.
class drawing final : public record_taker {
public:
  explicit drawing(timeline& to) : to_(to) {}

  bool take_row(const interval_record& row, const run_results&) override {
    to_.add(row);
    return false;
  }
  void take_records(const record_batch& records, const run_results& so_far) override {
    to_.add(records, so_far);
    record_taker::take_records(records, so_far);
  }
  member_events* members() override { return &to_; }

private:
  timeline& to_;
};

struct drawn_run {
  run_results results;
  record_batch records;
  std::string text;
  json trace;
  timeline_size size;
};

constexpr auto drawn_cluster = R"(
name = "drawn"
duration = "6s"
interval = "500ms"
[cluster]
partitions = 6
owners = 3
machines = 24
slots = 2
[network]
latency = "1ms"
[scheduler]
t_task = "2ms"
batch = 3
[workload]
arrivals = "poisson"
phases = [{ length = "5s", rate = 14 }]
duration = { kind = "exponential", value = 1 }
tasks_per_job = { value = 2 }
[[groups]]
name = "long"
schedulers = 2
[[groups]]
name = "short"
schedulers = 2
)";

timeline_filter everything() {
  timeline_filter all;
  all.machines = number_ranges{"all"};
  all.jobs = number_ranges{"all"};
  all.snapshots = true;
  return all;
}

drawn_run draw(std::string_view toml, std::vector<std::string> overrides,
               timeline_filter filter = everything(), std::size_t limit = timeline::default_limit) {
  overrides.push_back("records=tasks");
  timeline to{std::move(filter), limit};
  drawing monitor{to};
  drawn_run made;
  made.results = run(parse_settings(toml, "test.toml", overrides), monitor);
  made.records = std::move(monitor.all);
  made.text = to.finish(made.results);
  made.trace = json::parse(made.text);
  made.size = to.size();
  return made;
}

void check_valid(const drawn_run& run) {
  for (const auto& fault : faults_of(run.trace))
    FAIL_CHECK(fault);
}

std::size_t count(const json& trace, const std::function<bool(const json&)>& counts) {
  return static_cast<std::size_t>(
    std::ranges::count_if(trace["traceEvents"], [&](const json& e) { return counts(e); }));
}

std::size_t count(const json& trace, const std::string& kind, long long process,
                  const std::string& begin) {
  return count(trace, [&](const json& e) {
    return e["ph"] == kind && e["pid"] == process &&
           e["name"].get<std::string>().starts_with(begin);
  });
}

} // namespace

TEST_CASE("the timelines of all architectures are valid, and show what the records say") {
  for (const std::string architecture :
       {"parsync", "statesync", "two-level", "static", "monolithic", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    auto overrides = std::vector<std::string>{"architecture=" + architecture};
    if (architecture == "hybrid")
      overrides.insert(overrides.end(), {"hybrid.cutoff=1s", "schedulers=4"});
    const auto toml =
      architecture == "hybrid"
        ? std::string{drawn_cluster}.substr(0, std::string{drawn_cluster}.find("[[groups]]"))
        : std::string{drawn_cluster};
    const auto r = draw(toml, overrides);
    check_valid(r);
    CHECK(r.size.left_out == 0);
    CHECK(r.records.jobs.size() > 20);
    CHECK(count(r.trace, "b", 5, "job ") == r.records.jobs.size());
    CHECK(count(r.trace, "b", 5, "task ") == r.records.tasks.size());
    const auto on_machines =
      count(r.trace, [](const json& e) { return e["ph"] == "X" && e["pid"].get<int>() >= 1000; });
    CHECK(on_machines == std::ranges::count_if(r.records.tasks, [](const task_record& t) {
            return t.machine != no_machine &&
                   (t.at.started != no_instant || t.at.granted != no_instant);
          }));
    CHECK(count(r.trace, "n", 4, "refused: ") == r.records.attempts.size());
    CHECK(count(r.trace, "C", 1, "tasks queued") >= 10);
    if (architecture != "sparrow") {
      std::uint64_t decided = 0;
      for (const auto& e : r.trace["traceEvents"])
        if (e["ph"] == "X" && e["pid"] == 4 && e["args"].contains("view_age_ms"))
          decided += e["args"]["tasks"].get<std::uint64_t>();
      std::uint64_t attempts = 0;
      for (const auto& j : r.records.jobs)
        attempts += j.attempts;
      if (architecture != "hybrid")
        CHECK(decided >= attempts);
      CHECK(decided <= attempts + 2 * 3 * 4);
      CHECK(count(r.trace, "X", 3, "commit") > 10);
      CHECK(count(r.trace, "b", 4, "commit of ") >= count(r.trace, "X", 3, "commit"));
    }
    const bool syncs =
      architecture == "parsync" || architecture == "statesync" || architecture == "hybrid";
    CHECK((count(r.trace, "X", 2, "round") > 0) == syncs);
    CHECK((count(r.trace, "X", 4, "snapshot") > 0) == syncs);
    CHECK((count(r.trace, "X", 4, "offer") > 0) == (architecture == "two-level"));
  }
}

TEST_CASE("the timelines of runs with failures, gangs and preemption are valid") {
  const auto faults = std::string{drawn_cluster} + R"(
[faults]
at = [
  { kind = "kill", target = "owner.1", time = "1s" },
  { kind = "kill", target = "scheduler.0", time = "2s", duration = "2s" },
  { kind = "kill", target = "machine.3", time = "1500ms", duration = "1s" },
  { kind = "cut", target = "scheduler.1", other = "*", time = "3s", duration = "500ms" },
  { kind = "loss", target = "*", other = "*", time = "4500ms", duration = "1s", loss = 0.2 },
]
)";
  for (const std::string architecture : {"parsync", "two-level", "sparrow"}) {
    CAPTURE(architecture);
    auto text = faults;
    if (architecture == "sparrow")
      text.erase(
        text.find("  { kind = \"kill\", target = \"owner.1\""),
        std::string{"  { kind = \"kill\", target = \"owner.1\", time = \"1s\" },\n"}.size());
    const auto r = draw(text, {"architecture=" + architecture});
    check_valid(r);
    CHECK(count(r.trace, "i", 2, "kill scheduler.0") == 1);
    CHECK(count(r.trace, "i", 1003, "kill") == 1);
    if (architecture == "parsync") {
      CHECK(count(r.trace, "i", 2, "kill owner.1") == 1);
      CHECK(count(r.trace, "i", 2, "takeover of scheduler.0 by standby 0") == 1);
    }
  }
  const auto lossy = draw(drawn_cluster, {"network.loss=0.2", "scheduler.commit_timeout=100ms"});
  check_valid(lossy);
  CHECK(count(lossy.trace, "X", 3, "commit again") > 0);
  const auto gangs =
    draw(drawn_cluster,
         {"workload.gang=true", "workload.tasks_per_job={value=5}", "groups.0.workload.priority=3",
          "groups.1.workload.gang=false", "scheduler.preemption=true"});
  check_valid(gangs);
  CHECK(count(gangs.trace, [](const json& e) {
          return e["ph"] == "b" && e.contains("args") && e["args"].value("mode", "") == "launch";
        }) > 0);
}

TEST_CASE("a timeline changes no result, and is the same for the same seed") {
  const auto one = draw(drawn_cluster, {});
  const auto two = draw(drawn_cluster, {});
  const auto other = draw(drawn_cluster, {"seed=2"});
  CHECK(one.text == two.text);
  CHECK(one.text != other.text);
  const auto plain = run_text(drawn_cluster);
  auto with = one.results;
  with.records = plain.records;
  CHECK(summary_of(with) == summary_of(plain));
  CHECK(timeseries_of(with) == timeseries_of(plain));
}

TEST_CASE("a timeline shows the chosen times, members, machines and jobs only") {
  timeline_filter filter;
  filter.from = std::chrono::seconds{2};
  filter.to = std::chrono::seconds{3};
  filter.members = member_choice{"owner.1-2,scheduler.0"};
  filter.machines = number_ranges{"3,5-6"};
  filter.jobs = number_ranges{"none"};
  const auto r = draw(drawn_cluster, {}, filter);
  check_valid(r);
  std::set<std::pair<int, int>> tracks;
  for (const auto& e : r.trace["traceEvents"]) {
    if (e["ph"] == "M")
      continue;
    if (e["ph"] == "X") {
      const auto process = e["pid"].get<int>();
      tracks.insert({process, process < 1000 ? e["tid"].get<int>() : 0});
      CHECK(e["ts"].get<double>() <= 3e6);
      CHECK(e["ts"].get<double>() + e["dur"].get<double>() >= 2e6);
    }
  }
  CHECK(std::ranges::includes(
    std::set<std::pair<int, int>>{{3, 2}, {3, 3}, {4, 1}, {1003, 0}, {1005, 0}, {1006, 0}},
    tracks));
  CHECK(tracks.contains({4, 1}));
  CHECK(tracks.contains({3, 2}));
  CHECK(count(r.trace, "b", 5, "") == 0);
}

TEST_CASE("a timeline leaves out what exceeds its limit, says so, and stays valid") {
  const auto r = draw(drawn_cluster, {}, everything(), 700);
  check_valid(r);
  CHECK(r.size.left_out > 100);
  CHECK(r.size.events > 650);
  CHECK(r.trace["otherData"]["left_out"] == r.size.left_out);
  const auto said = r.size.complaint();
  CHECK(said.find("left out: some ") != std::string::npos);
  REQUIRE_FALSE(r.size.gaps_from.empty());
  for (const auto& [kind, from] : r.size.gaps_from) {
    CAPTURE(kind);
    CHECK(said.find(kind + " from ") != std::string::npos);
    CHECK(r.trace["otherData"]["gaps_from_s"][kind] == to_seconds(from));
  }
  CHECK(r.size.gaps_from.contains("tasks of jobs"));
  CHECK(said.find("--timeline-to") != std::string::npos);
  CHECK(count(r.trace, "C", 1, "tasks queued") == 12); // those are never left out
  CHECK(draw(drawn_cluster, {}).size.complaint().empty());
}

TEST_CASE("a run in real time has a timeline by its records") {
  const auto r = draw(drawn_cluster,
                      {"clock=real", "duration=1500ms", "workload.phases=[{length=\"1s\",rate=20}]",
                       "workload.duration={value=0.1}"});
  check_valid(r);
  CHECK(r.records.tasks.size() > 10);
  CHECK(count(r.trace, "X", 4, "decision") > 5);
  CHECK(count(r.trace, "b", 4, "commit of ") > 5);
  CHECK(count(r.trace, "b", 5, "task ") == r.records.tasks.size());
}

TEST_CASE("the checker of traces finds each fault that is planted in one") {
  const auto good = draw(drawn_cluster, {}).trace;
  REQUIRE(faults_of(good).empty());
  const auto planted = [&](const std::string& what, auto&& chooses, auto&& changes) {
    CAPTURE(what);
    auto bad = good;
    auto& events = bad["traceEvents"];
    const auto at = std::ranges::find_if(events, chooses);
    REQUIRE(at != events.end());
    changes(events, at);
    CHECK_FALSE(faults_of(bad).empty());
  };
  const auto is = [](const char* kind, int process) {
    return [kind, process](const json& e) { return e["ph"] == kind && e["pid"] == process; };
  };
  const auto erase = [](json& events, auto at) { events.erase(at); };
  const auto decision = [](const json& e) {
    return e["ph"] == "X" && e["pid"] == 4 && e["tid"] == 1 && e.contains("bind_id");
  };
  planted("a slice that ends within another", decision, [&](json& events, auto at) {
    const auto next = std::find_if(at + 1, events.end(), decision);
    REQUIRE(next != events.end());
    (*at)["dur"] = (*next)["ts"].template get<double>() - (*at)["ts"].template get<double>() +
                   (*next)["dur"].template get<double>() / 2;
  });
  planted("a negative length", is("X", 4), [](json&, auto at) { (*at)["dur"] = -1; });
  planted("an end that is missing", is("e", 4), erase);
  planted("a begin that is missing", is("b", 4), erase);
  planted("a name that is missing", is("M", 4), erase);
  planted("an earlier time", is("e", 4), [](json&, auto at) { (*at)["ts"] = 0; });
  planted("process 0", is("X", 3), [](json&, auto at) { (*at)["pid"] = 0; });
  planted("an arrow from nowhere", is("X", 3), [](json&, auto at) { (*at)["bind_id"] = "x"; });
  planted("two values", is("C", 1), [](json&, auto at) { (*at)["args"]["more"] = 1; });
  planted("an event too many", is("C", 1), [](json& events, auto at) {
    auto again = *at;
    events.push_back(again);
  });
  planted(
    "an overlap on a machine",
    [](const json& e) { return e["ph"] == "X" && e["pid"].get<int>() >= 1000; },
    [](json&, auto at) { (*at)["dur"] = 1e9; });
}

TEST_CASE("choices of members and numbers are read, and mistakes explained") {
  CHECK(number_ranges{"3,7-9"}.contains(8));
  CHECK_FALSE(number_ranges{"3,7-9"}.contains(6));
  CHECK_FALSE(number_ranges{"none"}.contains(0));
  CHECK(number_ranges{"all"}.contains(123456789));
  for (const auto* wrong : {"", "x", "1-", "-1", "3-2", "1,,2", "1 2"})
    CHECK_THROWS_AS(number_ranges{wrong}, std::invalid_argument);
  const member_choice some{"master,owner.*,scheduler.2-3"};
  CHECK(some.contains("master", 0));
  CHECK(some.contains("owner", 77));
  CHECK(some.contains("scheduler", 3));
  CHECK_FALSE(some.contains("scheduler", 1));
  for (const auto* wrong : {"", "node.1", "owner.x", "owner,,master"})
    CHECK_THROWS_AS(member_choice{wrong}, std::invalid_argument);
}

} // namespace troupe::test::timelines
