#include "plugins/libraries.hpp"
#include "runtime/recording.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace troupe;
using namespace troupe::test;

namespace {

recorded_run run_plugin(const std::string& actor, std::vector<std::string> set,
                        const std::string& level = "tasks") {
  enable_scheduler_plugins();
  const bool is_prober = actor == "prober";
  set.insert(set.begin(),
             {"plugins.paths+=" + library(is_prober ? "prober" : "faulty_scheduler"),
              is_prober ? "architecture=sparrow" : "architecture=parsync", "schedulers=3"});
  set.push_back("scheduler.actor=" + actor);
  return run_recorded(busy_config, std::move(set), level);
}

std::uint64_t over_by_fate(const record_batch& records, task_fate fate) {
  std::uint64_t n = 0;
  for (const auto& j : records.jobs)
    n += j.over[static_cast<std::size_t>(fate)];
  return n;
}

/// Compares the records with what the plugin itself and the job stores have counted.
void check_sums(const recorded_run& run) {
  CHECK(failed_checks(run.results).empty());
  const auto summary = summary_of(run.results);
  const auto& tasks = summary["tasks"];
  CHECK(run.records.jobs.size() == summary["jobs"]["submitted"].get<std::uint64_t>());
  CHECK(run.records.jobs.size() > 50);
  std::uint64_t placed = 0;
  std::uint64_t attempts = 0;
  std::array<std::uint64_t, conflict_causes> conflicts{};
  duration delay{0};
  double quality = 0;
  for (const auto& j : run.records.jobs) {
    placed += j.placed.count;
    attempts += j.attempts;
    for (std::size_t c = 0; c < conflict_causes; ++c)
      conflicts[c] += j.conflicts[c];
    delay += j.placed.delay;
    quality += j.placed.quality;
  }
  CHECK(placed == tasks["placed"].get<std::uint64_t>());
  CHECK(attempts >= placed);
  for (const auto fate :
       {task_fate::finished, task_fate::failed, task_fate::lost, task_fate::abandoned})
    CHECK(over_by_fate(run.records, fate) == tasks[to_string(fate)].get<std::uint64_t>());
  for (std::size_t c = 0; c < conflict_causes; ++c)
    CHECK(conflicts[c] == summary["conflicts_by_cause"][to_string(static_cast<conflict_cause>(c))]
                            .get<std::uint64_t>());
  REQUIRE(placed > 0);
  const auto& placed_delay = summary["scheduling_delay_s"]["placed"];
  CHECK(to_seconds(delay) / static_cast<double>(placed) ==
        doctest::Approx(placed_delay["mean"].get<double>()));
  CHECK(quality / static_cast<double>(placed) ==
        doctest::Approx(summary["quality"]["mean"].get<double>()));
}

/// Checks the records of tasks by those of their jobs.
void check_rows(const recorded_run& run) {
  const auto summary = summary_of(run.results);
  std::map<std::string, std::uint64_t> states;
  std::map<job_id, std::uint64_t> attempts;
  std::set<task_id> seen;
  for (const auto& t : run.records.tasks) {
    ++states[std::string{name_of(t.state)}];
    attempts[t.task.job] += t.tallies.attempts;
    CHECK(seen.insert(t.task).second);
    const bool waits = t.state < record_state::finished && t.state != record_state::running;
    CHECK((t.reason != wait_reason::none) == waits);
    CHECK(t.at.began == no_instant); // nobody can know
    if (t.state != record_state::finished)
      continue;
    CHECK(t.machine != no_machine);
    CHECK(t.at.submitted <= t.at.eligible);
    CHECK(t.at.eligible <= t.at.started);
    CHECK(t.at.started < t.at.ended);
    CHECK(t.scheduler < 3);
  }
  CHECK(run.records.tasks.size() == summary["tasks"]["submitted"].get<std::uint64_t>());
  const auto count = [&](const char* where) {
    return summary["tasks"][where].get<std::uint64_t>();
  };
  CHECK(states["running"] + states["in_commit"] == count("running") + count("in_commit"));
  CHECK(states["queued"] + states["waiting"] == count("queued"));
  for (const auto& j : run.records.jobs)
    CHECK(attempts[j.job] == j.attempts);
}

} // namespace

TEST_CASE("schedulers from plugins that commit to owners have records") {
  for (const auto* watch : {"failures.watch=off", "failures.watch=on"}) {
    CAPTURE(watch);
    const auto run = run_plugin("faulty", {watch});
    check_sums(run);
    check_rows(run);
    CHECK(run.records.attempts.size() > 20);
    for (const auto& a : run.records.attempts) {
      CHECK(a.winner < 3);
      CHECK(a.attempt >= 1);
      CHECK(a.reason == wait_reason::with_plugin);
      CHECK(a.retry_at == no_instant);
      CHECK(a.asked == resources::of_slots(1));
    }
    for (const auto& t : run.records.tasks)
      if (t.state == record_state::finished) {
        CHECK(t.at.decided < t.at.granted);
        CHECK(t.owner == t.partition % 3);
        CHECK((t.view_age >= duration::zero() || t.at.decided < instant{std::chrono::seconds{1}}));
        CHECK((t.tallies.refused > duration::zero()) == (t.tallies.conflicts > 0));
      }
  }
}

TEST_CASE(
  "the records of a plugin with the built-in decisions are those of the built-in scheduler") {
  // The plugin of the tests has a scheduler_core inside.
  const auto own = run_plugin("placing", {"failures.watch=off"});
  const auto plugin = run_plugin("faulty", {"failures.watch=off"});
  REQUIRE(own.records.jobs.size() == plugin.records.jobs.size());
  std::map<job_id, job_record> of_own;
  for (const auto& j : own.records.jobs)
    of_own[j.job] = j;
  std::uint64_t equal = 0;
  for (const auto& j : plugin.records.jobs) {
    const auto& other = of_own.at(j.job);
    equal += j.attempts == other.attempts && j.at.first_placed == other.at.first_placed &&
             j.at.ended == other.at.ended && j.placed.delay == other.placed.delay &&
             j.placed.quality == other.placed.quality && j.conflicts == other.conflicts;
  }
  CHECK(equal == plugin.records.jobs.size());
}

TEST_CASE("schedulers from plugins that use queues have records") {
  for (const std::string how : {"late-binding", "per-task", "batch", "random"})
    for (const auto* watch : {"failures.watch=off", "failures.watch=on"}) {
      CAPTURE(how);
      CAPTURE(watch);
      const auto run = run_plugin("prober", {watch, "sparrow.probing=" + how});
      check_sums(run);
      check_rows(run);
      CHECK(run.records.attempts.empty());
      for (const auto& t : run.records.tasks)
        CHECK(t.owner == no_scheduler);
    }
}

TEST_CASE("records of plugins tell of tasks that machines with a trace lose or take back") {
  const std::string trace = "cluster.trace.file=" TROUPE_SOURCE_DIR "/configs/chaos/traced";
  for (const std::string actor : {"faulty", "prober"})
    for (const auto* watch : {"failures.watch=off", "failures.watch=on"}) {
      CAPTURE(actor);
      CAPTURE(watch);
      const auto run =
        run_plugin(actor, {trace, "workload.cpu=1", watch, "duration=30s",
                           "workload.phases.0.length=30s", "workload.phases.0.rate=10"});
      check_sums(run);
      check_rows(run);
      std::uint64_t lost = 0;
      for (const auto& j : run.records.jobs)
        lost += j.lost;
      CHECK(lost > 0);
    }
}

TEST_CASE("records of plugins have stages, and tasks that were given up") {
  for (const auto* watch : {"failures.watch=off", "failures.watch=on"}) {
    CAPTURE(watch);
    for (const std::string actor : {"faulty", "prober"}) {
      const auto staged = run_plugin(actor, {watch, "workload.stages=3"});
      check_rows(staged);
      std::set<wait_reason> reasons;
      for (const auto& t : staged.records.tasks)
        reasons.insert(t.reason);
      CHECK(reasons.contains(wait_reason::waits_for_group));
    }
    const auto given_up = run_plugin("faulty", {watch, "scheduler.max_attempts=1", "duration=20s"});
    check_sums(given_up);
    check_rows(given_up);
    CHECK(over_by_fate(given_up.records, task_fate::abandoned) > 0);
  }
}

TEST_CASE("records of a plugin change nothing else") {
  for (const std::string actor : {"faulty", "prober"})
    for (const auto* watch : {"failures.watch=off", "failures.watch=on"}) {
      CAPTURE(actor);
      CAPTURE(watch);
      const auto off = run_plugin(actor, {watch}, "none");
      CHECK(off.records.empty());
      const auto on = run_plugin(actor, {watch}, "tasks");
      CHECK(summary_of(on.results) == summary_of(off.results));
      CHECK(run_plugin(actor, {watch}, "jobs").records.tasks.empty());
    }
}

TEST_CASE("records of plugins go on where members fail") {
  for (const std::string actor : {"faulty", "prober"}) {
    CAPTURE(actor);
    std::vector<std::string> set{
      "duration=20s",
      R"(faults.at=[{kind="kill",target="scheduler.1",time="3s",duration="1s"},)"
      R"({kind="kill",target="machine.3",time="1500ms",duration="2s"},)" +
        std::string{actor == "faulty" ? R"({kind="kill",target="owner.1",time="2s",duration="1s"},)"
                                      : ""} +
        R"({kind="freeze",target="machine.5",time="500ms",duration="3s"}])"};
    const auto run = run_plugin(actor, set);
    CHECK(failed_checks(run.results).empty());
    const auto summary = summary_of(run.results);
    const auto finished = summary["tasks"]["finished"].get<std::uint64_t>();
    const auto rows = static_cast<std::uint64_t>(
      std::ranges::count(run.records.tasks, record_state::finished, &task_record::state));
    CHECK(rows <= finished);
    CHECK(rows > finished - finished / 10); // but those of the last interval before its death
    std::uint64_t lost = 0;
    for (const auto& t : run.records.tasks)
      lost += t.tallies.lost;
    CHECK(lost > 0);
    CHECK(std::ranges::any_of(run.records.tasks, [](const task_record& t) {
      return t.state == record_state::finished && t.tallies.attempts == 0; // it ran before
    }));
  }
}

TEST_CASE("schedulers from plugins have records in real time") {
  for (const std::string actor : {"faulty", "prober"}) {
    CAPTURE(actor);
    const auto run = run_plugin(
      actor, {"clock=real", "duration=0s", "interval=250ms", "workload.phases.0.length=800ms",
              "workload.phases.0.rate=300", "workload.duration.value=0.1"}); // until all is over
    CHECK(failed_checks(run.results).empty());
    const auto summary = summary_of(run.results);
    CHECK(run.records.jobs.size() == summary["jobs"]["submitted"].get<std::uint64_t>());
    CHECK(over_by_fate(run.records, task_fate::finished) ==
          summary["tasks"]["finished"].get<std::uint64_t>());
    CHECK(run.records.tasks.size() == summary["tasks"]["submitted"].get<std::uint64_t>());
    for (const auto& t : run.records.tasks)
      if (t.state == record_state::finished)
        CHECK(t.at.submitted <= t.at.ended);
  }
}
