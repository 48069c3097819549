#include "actors/owner/owner.hpp"
#include "model/base/random.hpp"
#include "report/explain/story_json.hpp"
#include "report/explain/story_text.hpp"
#include "report/explain/why_not.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/state_of.hpp"
#include "runtime/inspect/replay.hpp"
#include "runtime/running.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace troupe::test::explaining {

using namespace std::chrono_literals;

namespace {

constexpr auto busy = R"(
name = "busy"
duration = "8s"
interval = "500ms"
schedulers = 4
[cluster]
partitions = 6
owners = 3
machines = 14
slots = 3
[scheduler]
t_task = "1ms"
batch = 4
[workload]
arrivals = "poisson"
phases = [{ length = "6s", rate = 40 }]
duration = { kind = "exponential", value = 1 }
tasks_per_job = { value = 3 }
)";

constexpr auto preempting = R"(
name = "groups"
duration = "8s"
interval = "500ms"
[cluster]
partitions = 4
owners = 2
machines = 12
slots = 4
[scheduler]
t_task = "1ms"
preemption = true
[workload]
arrivals = "poisson"
phases = [{ length = "7s", rate = 20 }]
duration = { kind = "exponential", value = 2 }
[[groups]]
name = "low"
schedulers = 2
[[groups]]
name = "high"
schedulers = 2
workload = { priority = 2, phases = [{ length = "7s", rate = 12 }] }
)";

constexpr auto failing = R"(
[[faults.random]]
role = "machine"
kind = "kill"
mttf = "4s"
mttr = "1s"
[[faults.at]]
kind = "kill"
target = "scheduler.1"
time = "3s"
duration = "1s"
)";

/// Collects the records of a run.
class taker final : public run_monitor {
public:
  record_batch all;

  void progress(const run_progress&) override {}
  bool stop_requested() override { return false; }
  void take_records(const record_batch& records, const run_results&) override {
    auto copy = records;
    all.append(std::move(copy));
  }
};

/// A run with its records, to be explained.
struct known_run {
  run_settings settings;
  record_batch records;
  std::string rows;

  known_run(const std::string& text, std::vector<std::string> overrides) {
    overrides.push_back("records=tasks");
    settings = parse_settings(text, "test.toml", overrides);
    taker monitor;
    const auto results = run(settings, monitor);
    rows = timeseries_of(results);
    records = std::move(monitor.all);
  }

  /// Of some tasks, chosen by a seed; those that had trouble first.
  std::vector<task_record> sample(std::size_t n, std::uint64_t seed) const {
    auto all = records.tasks;
    auto random = random_stream::derive(seed, "sample", 0);
    for (std::size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[random.below(i)]);
    // Half of them are any, half are of those that were refused, preempted or lost.
    std::ranges::stable_partition(all, [](const task_record& t) {
      return t.tallies.conflicts + t.tallies.preempted + t.tallies.lost == 0;
    });
    std::vector<task_record> some;
    for (std::size_t i = 0; i < n && i < all.size(); ++i)
      some.push_back(i % 2 == 0 ? all[i / 2] : all[all.size() - 1 - i / 2]);
    return some;
  }

  std::vector<attempt_record> refusals(const task_id& task) const {
    std::vector<attempt_record> of;
    std::ranges::copy_if(records.attempts, std::back_inserter(of),
                         [&](const attempt_record& a) { return a.task == task; });
    return of;
  }
};

explain_names names_of(const run_settings& settings) {
  return {&settings, {}};
}

bool says(const std::vector<std::string>& sentences, const std::string& words) {
  return std::ranges::any_of(
    sentences, [&](const std::string& s) { return s.find(words) != std::string::npos; });
}

void check_refusals(const task_story& story, const std::vector<attempt_record>& rows,
                    const std::vector<std::string>& sentences) {
  std::vector<story_attempt> refused;
  std::ranges::copy_if(story.attempts, std::back_inserter(refused), [](const story_attempt& a) {
    return a.outcome == attempt_outcome::refused;
  });
  REQUIRE(refused.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& a = refused[i];
    const auto& r = rows[i];
    CHECK(a.answered == r.at);
    CHECK(a.scheduler == r.scheduler);
    CHECK(a.owner == r.owner);
    CHECK(a.machine == r.machine);
    CHECK(a.refusal->cause == r.cause);
    CHECK(a.refusal->winner == r.winner);
    CHECK(a.refusal->attempt == r.attempt);
    CHECK(a.age == a.refusal->view_age);
    if (r.winner != no_scheduler && r.cause == conflict_cause::taken) {
      CHECK(a.winner_granted != no_instant);
      CHECK(a.winner_granted <= r.at);
      CHECK(a.winner_task.job != 0 + ~job_id{0});
    }
    CHECK(says(sentences, fmt::format("was refused by owner {} at {}: machine {}", r.owner,
                                      at_text(r.at), r.machine)));
    if (a.winner_granted != no_instant && r.winner != r.scheduler)
      CHECK(says(sentences, fmt::format("Scheduler {} had been granted it", r.winner)));
  }
}

/// The waits, decisions and commits of a task that ran once, or not yet, follow each other without
/// a gap.
void check_no_gap(const task_story& story, const task_record& row) {
  if (row.tallies.runs != 1 || row.owner == no_scheduler || row.at.granted == no_instant ||
      !story.takeovers.empty())
    return;
  duration sum{0};
  for (const auto& w : story.waits)
    if (w.from >= row.at.eligible)
      sum += (w.until == no_instant ? row.at.granted : w.until) - w.from;
  for (const auto& a : story.attempts)
    sum += a.answered - a.began;
  CHECK(to_seconds(sum) == doctest::Approx(to_seconds(row.at.granted - row.at.eligible)));
}

void check_run(const task_story& story, const task_record& row,
               const std::vector<std::string>& sentences) {
  CHECK(story.runs.size() == row.tallies.runs);
  if (row.machine == no_machine || story.runs.empty())
    return;
  const auto& last = story.runs.back();
  if (row.state != record_state::running && row.state != record_state::finished)
    return;
  CHECK(last.machine == row.machine);
  CHECK(last.owner == row.owner);
  CHECK(last.started == row.at.started);
  CHECK(last.ended == row.at.ended);
  CHECK(sentences.front().find(fmt::format("on machine {} (partition {}", row.machine,
                                           row.partition)) != std::string::npos);
  if (row.state == record_state::finished)
    CHECK(sentences.front().find(fmt::format("from {} to {}", at_text(row.at.started),
                                             at_text(row.at.ended))) != std::string::npos);
  if (story.attempts.empty())
    return;
  const auto& attempt = story.attempts.back();
  CHECK(attempt.got == row.machine);
  CHECK(attempt.scheduler == row.scheduler);
  if (row.owner == no_scheduler)
    return;
  CHECK(attempt.decided == row.at.decided);
  CHECK(attempt.answered == row.at.granted);
  CHECK(attempt.began == row.at.began);
  CHECK(story.eligible == row.at.eligible);
  CHECK(static_cast<float>(attempt.quality) == static_cast<float>(row.quality));
}

/// Explains a task and compares every part of it with its rows.
void check_task(const known_run& of, const task_record& row) {
  CAPTURE(to_string(row.task));
  const auto again =
    replay(of.settings, {row.task.job, row.task.index, {}, {}, row.state < record_state::finished},
           of.rows);
  CHECK(again.differs == "");
  REQUIRE(again.what);
  const auto names = names_of(of.settings);
  const auto story = tell_story(*again.what, row.task.index, again.events, again.until);
  const auto sentences = sentences_of(story, *again.what, *again.machines, names, again.until);
  REQUIRE(!sentences.empty());
  for (const auto& s : sentences)
    CHECK(s.find("not known") == std::string::npos);
  const auto told = story_json(story, *again.what, names);
  CHECK(told["state"] ==
        name_of(row.state == record_state::waiting ? record_state::queued : row.state));
  if (!story.takeovers.empty()) { // the records begin anew with each incarnation
    CHECK(story.attempts.size() >= row.tallies.attempts);
    CHECK(story.runs.size() >= row.tallies.runs);
    if (row.machine != no_machine) {
      REQUIRE(!story.runs.empty());
      CHECK(story.runs.back().machine == row.machine);
      CHECK(story.runs.back().ended == row.at.ended);
    }
    CHECK(says(sentences, "A standby took over from scheduler"));
    return;
  }
  CHECK(story.attempts.size() == row.tallies.attempts);
  check_refusals(story, of.refusals(row.task), sentences);
  check_run(story, row, sentences);
  check_no_gap(story, row);
  std::uint32_t preempted = 0;
  std::uint32_t lost = 0;
  for (const auto& r : story.runs) {
    preempted += r.end == run_end::preempted;
    lost += r.end == run_end::lost;
    if (r.end == run_end::preempted)
      CHECK(r.by.has_value());
  }
  CHECK(preempted == row.tallies.preempted);
  CHECK(lost == row.tallies.lost);
}

/// What owners have free, looked up without any of the code that explains.
class free_reader final : public run_monitor, public run_inspector {
public:
  free_reader(const run_settings& settings, instant at) : settings_(settings), at_(at) {}

  std::map<machine_id, resources> free;

  void progress(const run_progress&) override {}
  bool stop_requested() override { return done_; }
  task_watch* watch(virtual_coordinator&) override { return nullptr; }
  void begin(std::shared_ptr<const catalog> machines, member_finder find) override {
    machines_ = std::move(machines);
    find_ = std::move(find);
  }
  std::optional<instant> next() const override { return done_ ? std::nullopt : std::optional{at_}; }
  void look(instant) override {
    done_ = true;
    for (owner_id o = 0; o < owner_places(settings_); ++o) {
      simulated_cluster::process one;
      one.handle = find_(role::owner, o);
      const auto* state = state_of<owner_actor, owner_state>(one);
      for (const auto& part : state->core->partitions())
        for (const auto m : machines_->members(part.partition()))
          free[m] = part.free(m);
    }
  }
  void end(instant) override {}

private:
  const run_settings& settings_;
  instant at_;
  std::shared_ptr<const catalog> machines_;
  member_finder find_;
  bool done_ = false;
};

why_not_facts facts_of(const replay_answer& answer, const task_id& task) {
  why_not_facts facts;
  facts.task = task;
  facts.at = answer.look->at;
  facts.in = answer.look->in;
  facts.truth = answer.look->truth;
  facts.probes = answer.look->probes;
  return facts;
}

std::uint32_t sum_of(const machine_survey& all) {
  return std::accumulate(all.lines.begin(), all.lines.end(), std::uint32_t{0},
                         [](std::uint32_t n, const auto& line) { return n + line.machines; });
}

/// Asks why a task is on no machine at an instant, and compares with what owners have free.
void check_why_not(const known_run& of, const task_record& row, instant at) {
  CAPTURE(to_string(row.task));
  CAPTURE(at.count());
  const auto again =
    replay(of.settings, {row.task.job, row.task.index, machine_id{3}, at, false}, of.rows);
  CHECK(again.differs == "");
  REQUIRE(again.look);
  CHECK(again.look->at == at);
  const auto& in = again.look->in;
  if (in.where == task_situation::place::unknown)
    return;
  const auto answer =
    answer_why_not(facts_of(again, row.task), *again.machines, names_of(of.settings), "DIR");
  CHECK(!answer.sentences.empty());
  if (in.seen)
    CHECK(sum_of(*in.seen) == again.machines->machines());
  CHECK(sum_of(again.look->truth) == again.machines->machines());
  if (again.look->probes)
    return;
  free_reader reader{of.settings, at};
  run(of.settings, reader, &reader);
  std::uint32_t with_room = 0;
  for (const auto& [m, free] : reader.free) {
    bool meets_all = true;
    for (const auto& c : in.wish.constraints)
      meets_all = meets_all && meets(again.machines->kind_of(m).attributes, c);
    with_room += meets_all && free.fits(in.wish.demand);
  }
  const auto shared = again.look->truth.count(machine_check::other_share) == 0 &&
                      again.look->truth.count(machine_check::job_there) == 0;
  if (shared)
    CHECK(again.look->truth.fits() + again.look->truth.count(machine_check::kept_away) ==
          with_room);
  REQUIRE(again.look->asked_truth);
  if (again.look->asked_truth->check == machine_check::fits)
    CHECK(reader.free[3].fits(in.wish.demand));
  if (again.look->asked_truth->check == machine_check::no_room) {
    const auto& lack = *again.look->asked_truth;
    CHECK(in.wish.demand[lack.lacks] - reader.free[3][lack.lacks] == lack.missing);
  }
  const auto& near = again.look->truth.nearest;
  if (near)
    CHECK(in.wish.demand[near->lacks] - reader.free[near->machine][near->lacks] == near->missing);
}

void check_tasks(const std::string& text, const std::vector<std::string>& overrides) {
  CAPTURE(text.size());
  for (const auto& o : overrides)
    CAPTURE(o);
  const known_run of{text, overrides};
  REQUIRE(of.records.tasks.size() > 50);
  for (const auto& row : of.sample(10, 7))
    check_task(of, row);
}

void check_reasons(const std::string& text, const std::vector<std::string>& overrides) {
  const known_run of{text, overrides};
  for (const auto& row : of.sample(10, 11)) {
    check_why_not(of, row, row.at.submitted + 7ms);
    check_why_not(of, row, 5s);
  }
}

} // namespace

TEST_CASE("what is explained agrees with the records in every architecture") {
  for (const std::string architecture :
       {"parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    check_tasks(busy, {"architecture=" + architecture});
  }
}

TEST_CASE("probes, gangs, stages and refusals are explained as recorded") {
  check_tasks(busy, {"architecture=sparrow", "sparrow.probing=batch"});
  check_tasks(busy, {"workload.gang=true"});
  check_tasks(busy, {"workload.gang=true", "architecture=two-level"});
  check_tasks(busy, {"workload.stages=3"});
  check_tasks(busy, {"scheduler.candidates=3"});
  check_tasks(busy, {"scheduler.retry.delay=20ms", "scheduler.max_attempts=3"});
  check_tasks(busy, {"scheduler.retry.wait_for_refresh=true", "scheduler.keep_away=100ms"});
}

TEST_CASE("preemptions, losses and takeovers are explained as recorded") {
  check_tasks(preempting, {});
  for (const std::string architecture : {"parsync", "static", "two-level", "sparrow"}) {
    CAPTURE(architecture);
    check_tasks(std::string{busy} + failing,
                {"architecture=" + architecture, "workload.duration.value=2"});
  }
}

TEST_CASE("machines that are excluded are excluded by what owners have") {
  for (const std::string architecture :
       {"parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    check_reasons(busy, {"architecture=" + architecture});
  }
  check_reasons(preempting, {});
}

TEST_CASE("a replay of other settings is found out") {
  const known_run of{busy, {}};
  auto other = of.settings;
  other.seed = 2;
  const auto again = replay(other, {of.records.tasks.front().task.job, 0, {}, {}, true}, of.rows);
  CHECK(again.differs.find("timeseries.csv") != std::string::npos);
}

TEST_CASE("watching a job changes nothing of the run") {
  const known_run of{busy, {"architecture=parsync"}};
  const auto& last = of.records.tasks.back();
  const auto again = replay(of.settings, {last.task.job, last.task.index, {}, {}, true}, of.rows);
  CHECK(again.differs == "");
  CHECK(again.over);
  CHECK(again.rows == static_cast<std::uint64_t>(std::ranges::count(of.rows, '\n')) - 1);
}

} // namespace troupe::test::explaining
