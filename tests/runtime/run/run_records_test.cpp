#include "report/csv/row_writer.hpp"
#include "runtime/recording.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace troupe::test::recording {

using namespace std::chrono_literals;

namespace {

/// Sums over records, in the words of the summary.
struct record_sums {
  std::map<std::string, std::uint64_t> states;
  std::uint64_t tasks = 0;
  std::uint64_t placed = 0;
  std::uint64_t conflicts[conflict_causes] = {};
  std::uint64_t preempted = 0;
  duration delay{0};
  duration longest{0};
  double quality = 0;
  double work_lost = 0;
};

record_sums sum_jobs(const record_batch& records) {
  record_sums s;
  for (const auto& j : records.jobs) {
    ++s.states[std::string{name_of(j.state)}];
    s.tasks += j.tasks;
    s.placed += j.placed.count;
    for (std::size_t c = 0; c < conflict_causes; ++c)
      s.conflicts[c] += j.conflicts[c];
    s.preempted += j.preempted;
    s.delay += j.placed.delay;
    s.longest = std::max(s.longest, j.placed.longest_delay);
    s.quality += j.placed.quality;
    s.work_lost += to_seconds(j.work_lost);
  }
  return s;
}

std::uint64_t over(const record_batch& records, task_fate fate) {
  std::uint64_t n = 0;
  for (const auto& j : records.jobs)
    n += j.over[static_cast<std::size_t>(fate)];
  return n;
}

/// Compares the records with the summary of the same run.
void check_against_summary(const recorded_run& run) {
  const auto summary = summary_of(run.results);
  const auto& tasks = summary["tasks"];
  const auto by_job = sum_jobs(run.records);
  CHECK(run.records.jobs.size() == summary["jobs"]["submitted"].get<std::uint64_t>());
  CHECK(by_job.tasks == tasks["submitted"].get<std::uint64_t>());
  CHECK(by_job.placed == tasks["placed"].get<std::uint64_t>());
  CHECK(over(run.records, task_fate::finished) == tasks["finished"].get<std::uint64_t>());
  CHECK(over(run.records, task_fate::failed) == tasks["failed"].get<std::uint64_t>());
  CHECK(over(run.records, task_fate::lost) == tasks["lost"].get<std::uint64_t>());
  CHECK(over(run.records, task_fate::abandoned) == tasks["abandoned"].get<std::uint64_t>());
  auto states = by_job.states;
  CHECK(states["finished"] == summary["jobs"]["finished"].get<std::uint64_t>());
  CHECK(states["abandoned"] == summary["jobs"]["abandoned"].get<std::uint64_t>());
  CHECK(states["failed"] == summary["jobs"]["failed"].get<std::uint64_t>());
  for (std::size_t c = 0; c < conflict_causes; ++c)
    CHECK(by_job.conflicts[c] ==
          summary["conflicts_by_cause"][to_string(static_cast<conflict_cause>(c))]
            .get<std::uint64_t>());
  std::uint64_t refusals = 0;
  for (const auto& a : run.records.attempts)
    refusals += a.cause != conflict_cause::aborted;
  CHECK(refusals == summary["conflicts"].get<std::uint64_t>());
  CHECK(by_job.preempted == summary["preemptions"]["tasks"].get<std::uint64_t>());
  const auto& delay = summary["scheduling_delay_s"]["placed"];
  const auto placed = static_cast<double>(by_job.placed);
  REQUIRE(placed > 0);
  CHECK(to_seconds(by_job.delay) / placed == doctest::Approx(delay["mean"].get<double>()));
  CHECK(to_seconds(by_job.longest) == doctest::Approx(delay["max"].get<double>()));
  CHECK(by_job.quality / placed == doctest::Approx(summary["quality"]["mean"].get<double>()));
}

/// Compares the tasks' records with the jobs', and the places of tasks with the summary.
void check_tasks(const recorded_run& run) {
  const auto summary = summary_of(run.results);
  std::map<std::string, std::uint64_t> states;
  std::set<task_id> seen;
  std::map<job_id, std::uint64_t> attempts;
  for (const auto& t : run.records.tasks) {
    ++states[std::string{name_of(t.state)}];
    CHECK(seen.insert(t.task).second);
    attempts[t.task.job] += t.tallies.attempts;
    if (t.state != record_state::finished)
      continue;
    CHECK(t.machine != no_machine);
    CHECK(t.at.started != no_instant);
    CHECK(t.at.started < t.at.ended);
    CHECK(t.at.eligible <= t.at.started);
  }
  CHECK(run.records.tasks.size() == summary["tasks"]["submitted"].get<std::uint64_t>());
  for (const char* fate : {"finished", "failed", "lost", "abandoned"})
    CHECK(states[fate] == summary["tasks"][fate].get<std::uint64_t>());
  // Of starts from the queues of machines, schedulers hear later.
  if (!summary.contains("sparrow"))
    CHECK(states["running"] == summary["tasks"]["running"].get<std::uint64_t>());
  CHECK(states["running"] + states["in_commit"] ==
        summary["tasks"]["running"].get<std::uint64_t>() +
          summary["tasks"]["in_commit"].get<std::uint64_t>());
  CHECK(states["queued"] + states["waiting"] == summary["tasks"]["queued"].get<std::uint64_t>());
  for (const auto& j : run.records.jobs)
    CHECK(attempts[j.job] == j.attempts);
}

/// Checks that each task that waits has a reason, and no other one.
void check_reasons(const recorded_run& run) {
  std::map<job_id, std::size_t> waiting;
  for (const auto& t : run.records.tasks) {
    const bool waits = t.state < record_state::finished && t.state != record_state::running;
    CHECK((t.reason != wait_reason::none) == waits);
    CHECK((t.reason == wait_reason::waits_for_group) == (t.state == record_state::waiting));
    waiting[t.task.job] += waits;
  }
  for (const auto& j : run.records.jobs)
    CHECK((j.reason != wait_reason::none) == (waiting[j.job] > 0));
}

/// Checks the back-offs of tasks by those of their refusals.
void check_retries(const recorded_run& run) {
  std::map<task_id, duration> backed_off;
  for (const auto& a : run.records.attempts) {
    CHECK((a.reason == wait_reason::none) == (a.retry_at == no_instant));
    if (a.reason == wait_reason::none)
      continue;
    CHECK(a.retry_at >= a.at);
    if (a.reason == wait_reason::backing_off)
      backed_off[a.task] += a.retry_at - a.at;
  }
  for (const auto& t : run.records.tasks) {
    CHECK(t.tallies.backed_off == backed_off[t.task]);
    CHECK((t.tallies.refused > duration::zero()) >= (t.tallies.conflicts > 0));
  }
}

/// Checks that what is over comes in the order of the ends, and what is open last.
template <class Record>
void check_order(const std::vector<Record>& records) {
  instant latest{0};
  bool open = false;
  for (const auto& r : records) {
    const bool is_over = r.state >= record_state::finished;
    CHECK(!(open && is_over));
    open = open || !is_over;
    if (!is_over)
      continue;
    CHECK(r.at.ended >= latest);
    latest = r.at.ended;
  }
}

void check(const recorded_run& run) {
  check_passed(run.results);
  check_against_summary(run);
  check_tasks(run);
  check_reasons(run);
  check_retries(run);
  check_order(run.records.jobs);
  check_order(run.records.tasks);
  CHECK(std::ranges::is_sorted(run.records.attempts, {}, &attempt_record::at));
}

} // namespace

TEST_CASE("records add up to the summary in every architecture") {
  for (const std::string architecture :
       {"parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    const auto run = run_recorded(busy_config, {"architecture=" + architecture}, "tasks");
    check(run);
    CHECK(run.records.jobs.size() > 50);
  }
}

TEST_CASE("records tell of conflicts, with their winners") {
  const auto run =
    run_recorded(busy_config, {"cluster.machines=12", "scheduler.max_attempts=3"}, "tasks");
  check(run);
  CHECK(run.records.attempts.size() > 20);
  for (const auto& a : run.records.attempts) {
    CHECK(a.winner < 4);
    CHECK(a.attempt >= 1);
    CHECK(a.attempt <= 3);
    CHECK(a.view_age >= duration::zero());
  }
  CHECK(over(run.records, task_fate::abandoned) > 0);
}

TEST_CASE("records tell when refused tasks are tried again, and why they wait") {
  const auto count = [](const recorded_run& run, wait_reason why) {
    return std::ranges::count(run.records.attempts, why, &attempt_record::reason);
  };
  const auto soon = run_recorded(busy_config, {});
  check(soon);
  CHECK(count(soon, wait_reason::behind_others) > 20);
  const auto later = run_recorded(busy_config, {"scheduler.retry.delay=20ms"});
  check(later);
  CHECK(count(later, wait_reason::backing_off) > 20);
  for (const auto& a : later.records.attempts)
    if (a.reason == wait_reason::backing_off)
      CHECK(a.retry_at == a.at + 20ms);
  const auto fresh = run_recorded(busy_config, {"scheduler.retry.wait_for_refresh=true"});
  check(fresh);
  CHECK(count(fresh, wait_reason::waits_for_refresh) > 20);
  std::set<wait_reason> reasons;
  for (const auto* more : {"workload.stages=3", "workload.gang=true", "scheduler.look_past=2"})
    for (const auto& t :
         run_recorded(busy_config, {more, "workload.duration.value=9"}).records.tasks)
      reasons.insert(t.reason);
  for (const auto why : {wait_reason::waits_for_group, wait_reason::gang_incomplete,
                         wait_reason::no_room, wait_reason::behind_others})
    CHECK_MESSAGE(reasons.contains(why), name_of(why));
}

TEST_CASE("all tasks of a gang that is given up have records") {
  const auto run = run_recorded(
    busy_config, {"workload.gang=true", "cluster.machines=6", "workload.tasks_per_job.value=30"});
  check_tasks(run);
  CHECK(over(run.records, task_fate::abandoned) > 100);
}

TEST_CASE("records of jobs with stages, gangs and preempted tasks add up") {
  check(run_recorded(busy_config, {"workload.stages=3"}, "tasks"));
  check(run_recorded(busy_config, {"architecture=sparrow", "workload.stages=2"}, "tasks"));
  check(run_recorded(busy_config, {"workload.gang=true"}, "tasks"));
  check(
    run_recorded(busy_config, {"scheduler.commit=all-or-nothing", "cluster.machines=14"}, "tasks"));
  check(run_recorded(busy_config, {"scheduler.candidates=3", "cluster.machines=14"}, "tasks"));
  const auto run = run_recorded(preempting_config, {}, "tasks");
  check(run);
  CHECK(sum_jobs(run.records).preempted > 0);
  CHECK(sum_jobs(run.records).work_lost ==
        doctest::Approx(summary_of(run.results)["preemptions"]["work_lost_s"].get<double>()));
}

TEST_CASE(
  "a job waits until the first decision that finds machines, in records as in the summary") {
  for (const char* more : {"workload.gang=false", "workload.gang=true",
                           "scheduler.discipline=\"fcfs\"", "scheduler.discipline=\"easy\""}) {
    CAPTURE(more);
    const auto run = run_recorded(busy_config, {"duration=0s", "cluster.machines=14", more});
    duration waited{0};
    duration longest{0};
    for (const auto& j : run.records.jobs) {
      REQUIRE(j.at.began != no_instant);
      waited += j.at.began - j.at.submitted;
      longest = std::max(longest, j.at.began - j.at.submitted);
    }
    const auto told = summary_of(run.results)["wait_s"];
    const auto jobs = static_cast<double>(run.records.jobs.size());
    CHECK(to_seconds(waited) / jobs == doctest::Approx(told["mean"].get<double>()));
    CHECK(to_seconds(longest) == doctest::Approx(told["max"].get<double>()));
    CHECK(longest > 1s); // many find no machines at first
  }
}

TEST_CASE("the records of jobs are the same without those of tasks") {
  for (const std::string architecture : {"parsync", "sparrow"}) {
    const auto with = run_recorded(busy_config, {"architecture=" + architecture}, "tasks");
    const auto without = run_recorded(busy_config, {"architecture=" + architecture}, "jobs");
    CHECK(without.records.tasks.empty());
    check_against_summary(without);
    check_order(without.records.jobs);
    const record_names names{with.results};
    record_text a;
    record_text b;
    for (const auto& j : with.records.jobs)
      add_row(a, j, names);
    for (const auto& j : without.records.jobs)
      add_row(b, j, names);
    CHECK(a.view() == b.view());
    CHECK(with.records.attempts.size() == without.records.attempts.size());
  }
}

TEST_CASE("records change nothing else, and there are none when they are off") {
  for (const auto* more : {"failures.watch=off", "failures.watch=on", "architecture=sparrow"}) {
    CAPTURE(more);
    const auto off = run_recorded(busy_config, {more}, "none");
    CHECK(off.records.empty());
    for (const auto* level : {"jobs", "tasks"}) {
      const auto on = run_recorded(busy_config, {more}, level);
      CHECK(summary_of(on.results) == summary_of(off.results));
      CHECK(timeseries_of(on.results) == timeseries_of(off.results));
    }
  }
}

TEST_CASE("records add up where machines and owners fail") {
  for (const std::string architecture : {"parsync", "static", "two-level", "sparrow"}) {
    CAPTURE(architecture);
    std::string text = busy_config + std::string{R"(
[[faults.random]]
role = "machine"
kind = "kill"
mttf = "4s"
mttr = "1s"
)"};
    if (architecture != "sparrow")
      text += "[[faults.at]]\nkind = 'kill'\ntarget = 'owner.1'\ntime = '3s'\nduration = '1s'\n";
    const auto run = run_recorded(text,
                                  {"architecture=" + architecture, "failures.retries=1",
                                   "workload.duration.value=2", "duration=11900ms"},
                                  "tasks");
    check_passed(run.results);
    const auto summary = summary_of(run.results);
    CHECK(run.records.jobs.size() == summary["jobs"]["submitted"].get<std::uint64_t>());
    CHECK(sum_jobs(run.records).tasks == summary["tasks"]["submitted"].get<std::uint64_t>());
    for (const auto fate : {task_fate::finished, task_fate::lost, task_fate::abandoned})
      CHECK(over(run.records, fate) == summary["tasks"][to_string(fate)].get<std::uint64_t>());
    std::uint64_t lost = 0;
    for (const auto& t : run.records.tasks)
      lost += t.tallies.lost;
    CHECK(lost > 0);
    CHECK(over(run.records, task_fate::lost) > 0);
  }
}

TEST_CASE("a new incarnation of a scheduler goes on with what it knows") {
  for (const std::string architecture : {"parsync", "sparrow"}) {
    CAPTURE(architecture);
    const std::string text =
      busy_config +
      std::string{"[[faults.at]]\nkind = 'kill'\ntarget = 'scheduler.1'\ntime = '3s'\n"
                  "duration = '1s'\n"};
    const auto run = run_recorded(text, {"architecture=" + architecture, "duration=12s"}, "tasks");
    check_passed(run.results);
    const auto summary = summary_of(run.results);
    const auto finished = summary["tasks"]["finished"].get<std::uint64_t>();
    const auto tasks = static_cast<std::uint64_t>(
      std::ranges::count(run.records.tasks, record_state::finished, &task_record::state));
    // Of the ends within the last interval before its death there may be no record.
    CHECK(tasks <= finished);
    CHECK(tasks > finished - finished / 10);
    std::set<job_id> jobs;
    for (const auto& j : run.records.jobs)
      CHECK(jobs.insert(j.job).second);
    CHECK(jobs.size() + 10 > summary["jobs"]["submitted"].get<std::uint64_t>());
    CHECK(std::ranges::any_of(run.records.tasks, [](const task_record& t) {
      return t.state == record_state::finished && t.tallies.attempts == 0; // it ran before
    }));
  }
}

} // namespace troupe::test::recording
