#include "runtime/running.hpp"

#include <algorithm>
#include <numeric>

namespace troupe::test::live {

using namespace std::chrono_literals;

namespace {

/// Watches a run.
class spectator final : public run_monitor {
public:
  std::shared_ptr<live_board> board = std::make_shared<live_board>();

  void progress(const run_progress&) override {}
  bool stop_requested() override { return false; }
  std::shared_ptr<live_board> live() override { return board; }
};

struct watched_results {
  run_results results;
  live_state state;
};

watched_results run_watched(std::string_view toml, const std::vector<std::string>& overrides = {}) {
  spectator monitor;
  auto results = run(parse_settings(toml, "test.toml", overrides), monitor);
  return {std::move(results), monitor.board->read([](const live_state& s) { return s; })};
}

/// Two groups on machines that are too few, with conflicts.
constexpr auto busy_settings = R"(
name = "busy"
duration = "8s"
interval = "500ms"
[cluster]
partitions = 6
owners = 3
machines = 24
slots = 3
[scheduler]
t_task = "1ms"
batch = 4
[workload]
arrivals = "poisson"
phases = [{ length = "4s", rate = 20 }, { length = "3s", rate = 40 }]
duration = { kind = "exponential", value = 1 }
tasks_per_job = { value = 3 }
[[groups]]
name = "a"
schedulers = 2
scheduler = { policy = "quality-first" }
[[groups]]
name = "b"
schedulers = 2
[[policy_changes]]
at = "5s"
group = "b"
to = "latency-first"
)";

std::vector<std::string> words_of(const live_state& state) {
  std::vector<std::string> all;
  for (const auto& e : state.events)
    all.push_back(e.what);
  return all;
}

std::uint64_t count(const live_state& state, const std::string& word) {
  const auto words = words_of(state);
  return static_cast<std::uint64_t>(std::ranges::count(words, word));
}

/// Compares what was seen at the end with the summary of the run.
void check_against_summary(const watched_results& run) {
  const auto summary = summary_of(run.results);
  const auto& state = run.state;
  task_counts tasks;
  for (const auto& g : state.groups)
    tasks += g.tasks;
  CHECK(tasks.submitted == summary["tasks"]["submitted"].get<std::uint64_t>());
  CHECK(tasks.placed == summary["tasks"]["placed"].get<std::uint64_t>());
  CHECK(tasks.finished == summary["tasks"]["finished"].get<std::uint64_t>());
  CHECK(tasks.running == summary["tasks"]["running"].get<std::uint64_t>());
  CHECK(state.over);
  std::uint64_t submitted = 0;
  for (const auto& row : state.series.whole())
    submitted += row.tasks.submitted;
  CHECK(submitted == tasks.submitted);
  REQUIRE(state.series.recent().size() >= 5);
  CHECK(state.series.recent().back().to == run.results.simulated);
}

} // namespace

TEST_CASE("a watched run has the results of one that nobody sees") {
  for (const auto* architecture : {"parsync", "statesync", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    std::vector<std::string> overrides{std::string{"architecture="} + architecture};
    const std::string settings = busy_settings;
    const auto plain =
      std::string{architecture} == "sparrow" || std::string{architecture} == "hybrid"
        ? settings.substr(0, settings.find("[[policy_changes]]"))
        : settings;
    const auto unseen = run_text(plain, overrides);
    const auto seen = run_watched(plain, overrides);
    CHECK(summary_of(seen.results).dump() == summary_of(unseen).dump());
    CHECK(timeseries_of(seen.results) == timeseries_of(unseen));
    check_against_summary(seen);
  }
}

TEST_CASE("the state of a run has its members, partitions and events") {
  const auto seen = run_watched(busy_settings);
  const auto& state = seen.state;
  CHECK(state.about.name == "busy");
  CHECK(state.about.world == "virtual");
  CHECK(state.about.architecture == "parsync");
  REQUIRE(state.schedulers.size() == 4);
  std::uint64_t placed = 0;
  cause_counts refused{};
  for (const auto& s : state.schedulers) {
    CHECK(s.life.state == member_state::up);
    CHECK(s.ages_ms.size() == 6);
    CHECK(s.age_max > 0);
    CHECK(s.sums.busy > 0);
    placed += s.sums.placed;
    for (std::size_t c = 0; c < conflict_causes; ++c)
      refused[c] += s.sums.conflicts[c];
  }
  CHECK(state.schedulers[0].policy == "quality-first");
  CHECK(state.schedulers[3].policy == "latency-first");
  REQUIRE(state.partitions.size() == 6);
  std::uint64_t granted = 0;
  cause_counts told{};
  for (const auto& p : state.partitions) {
    CHECK(p.known);
    CHECK(p.last.up == 4);
    CHECK(p.last.machines == 4);
    granted += p.granted_sum;
    for (std::size_t c = 0; c < conflict_causes; ++c)
      told[c] += p.refused_sum[c];
  }
  // The first answers have no counts by partition; afterwards owners and schedulers agree, but for
  // what was under way between the two at the end.
  REQUIRE(placed > 300);
  CHECK(granted > placed * 8 / 10);
  CHECK(granted <= placed + 30);
  REQUIRE(refused[0] > 0);
  CHECK(told[0] > refused[0] * 7 / 10);
  CHECK(told[0] <= refused[0] + 10);
  CHECK(state.machines_up() == 24);
  CHECK(count(state, "phase") == 2);
  CHECK(count(state, "policy") == 1);
  CHECK(state.events_so_far == 3);
}

TEST_CASE("failures and takeovers are events") {
  const auto seen = run_watched(std::string{busy_settings} + R"(
[[faults.at]]
kind = "kill"
target = "owner.1"
time = "2s"
[[faults.at]]
kind = "freeze"
target = "scheduler.2"
time = "3s"
duration = "2s"
)");
  const auto& state = seen.state;
  check_against_summary(seen);
  CHECK(count(state, "kill") == 1);
  CHECK(count(state, "freeze") == 1);
  CHECK(count(state, "end") >= 1);
  CHECK(state.owners[1].life.takeovers == 1);
  CHECK(state.owners[1].life.incarnation == 2);
  CHECK(state.owners[0].life.takeovers == 0);
  CHECK(count(state, "takeover") >= 1);
  instant before{0};
  for (const auto& e : state.events)
    before = std::max(before, e.at);
  CHECK(before >= 5s);
}

} // namespace troupe::test::live
