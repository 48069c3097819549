#include "report/explain/story_json.hpp"
#include "report/explain/story_text.hpp"
#include "runtime/inspect/replay.hpp"
#include "runtime/known_run.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace troupe::test::explaining {

using namespace std::chrono_literals;

namespace {

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

bool says(const std::vector<std::string>& sentences, const std::string& words) {
  return std::ranges::any_of(
    sentences, [&](const std::string& s) { return s.find(words) != std::string::npos; });
}

/// Returns the number of the first sentence with these words.
std::size_t place_of(const std::vector<std::string>& sentences, const std::string& words) {
  const auto it = std::ranges::find_if(
    sentences, [&](const std::string& s) { return s.find(words) != std::string::npos; });
  return static_cast<std::size_t>(it - sentences.begin());
}

/// A refusal is told before the wait that comes of it, and a decision after the wait before it.
void check_order(const task_story& story, const std::vector<std::string>& sentences) {
  for (const auto& a : story.attempts) {
    if (a.outcome != attempt_outcome::refused)
      continue;
    const auto refusal = place_of(
      sentences, fmt::format("was refused by owner {} at {}", a.owner, at_text(a.answered)));
    const auto wait = place_of(sentences, fmt::format("From {} to ", at_text(a.answered)));
    REQUIRE(refusal < sentences.size());
    if (wait < sentences.size())
      CHECK(refusal < wait);
  }
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
    if (r.reason == wait_reason::backing_off)
      CHECK(a.retry_at == r.retry_at);
    CHECK(a.waits_for_refresh == (r.reason == wait_reason::waits_for_refresh));
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
  check_order(story, sentences);
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

void check_tasks(const std::string& text, const std::vector<std::string>& overrides) {
  CAPTURE(text.size());
  for (const auto& o : overrides)
    CAPTURE(o);
  const known_run of{text, overrides};
  REQUIRE(of.records.tasks.size() > 50);
  for (const auto& row : of.sample(10, 7))
    check_task(of, row);
}

} // namespace

TEST_CASE("what is explained agrees with the records in every architecture") {
  for (const std::string architecture :
       {"parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    check_tasks(busy_config, {"architecture=" + architecture});
  }
}

TEST_CASE("probes, gangs, stages and refusals are explained as recorded") {
  check_tasks(busy_config, {"architecture=sparrow", "sparrow.probing=batch"});
  check_tasks(busy_config, {"workload.gang=true"});
  check_tasks(busy_config, {"workload.gang=true", "architecture=two-level"});
  check_tasks(busy_config, {"workload.stages=3"});
  check_tasks(busy_config, {"scheduler.candidates=3"});
  check_tasks(busy_config, {"scheduler.retry.delay=20ms", "scheduler.max_attempts=3"});
  check_tasks(busy_config, {"scheduler.retry.wait_for_refresh=true", "scheduler.keep_away=100ms"});
}

TEST_CASE("preemptions, losses and takeovers are explained as recorded") {
  check_tasks(preempting_config, {});
  for (const std::string architecture : {"parsync", "static", "two-level", "sparrow"}) {
    CAPTURE(architecture);
    check_tasks(std::string{busy_config} + failing,
                {"architecture=" + architecture, "workload.duration.value=2"});
  }
}

TEST_CASE("the machines are told that a policy looked at") {
  for (const std::string scan : {"5", "0"}) {
    const known_run of{busy_config, {"scheduler.policy=worst-fit", "policy.scan=" + scan}};
    const auto& row = of.records.tasks.front();
    const auto again = replay(of.settings, {row.task.job, row.task.index, {}, {}, false}, of.rows);
    const auto names =
      explain_names{&of.settings, [](scheduler_id, instant) { return std::string{"worst-fit"}; }};
    const auto story = tell_story(*again.what, row.task.index, again.events, again.until);
    const auto sentences = sentences_of(story, *again.what, *again.machines, names, again.until);
    CHECK(says(sentences, scan == "0" ? "(looked at all machines)"
                                      : "(looked at 5 of 14 machines, from a random one on)"));
  }
}

TEST_CASE("a replay of other settings is found out") {
  const known_run of{busy_config, {}};
  auto other = of.settings;
  other.seed = 2;
  const auto again = replay(other, {of.records.tasks.front().task.job, 0, {}, {}, true}, of.rows);
  CHECK(again.differs.find("timeseries.csv") != std::string::npos);
}

TEST_CASE("watching a job changes nothing of the run") {
  const known_run of{busy_config, {"architecture=parsync"}};
  const auto& last = of.records.tasks.back();
  const auto again = replay(of.settings, {last.task.job, last.task.index, {}, {}, true}, of.rows);
  CHECK(again.differs == "");
  CHECK(again.over);
  CHECK(again.rows == static_cast<std::uint64_t>(std::ranges::count(of.rows, '\n')) - 1);
}

} // namespace troupe::test::explaining
