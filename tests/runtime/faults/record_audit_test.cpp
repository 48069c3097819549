#include "runtime/faults/record_audit.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Scheduler 3, its records, and the events that the audit sees. Owner 1 has machines 2 and 3.
struct audited {
  catalog machines = even_catalog(4, 2, 2);
  job one = slot_job(7, 1, 1s, 5s);
  record_book book{record_level::tasks, 3, machines, {0, 1}};
  record_audit audit{machines};
  static constexpr task_id task{7, 0};

  audited() { book.submit(one); }

  /// The scheduler asks the owner for a machine.
  void ask(commit_id number, instant at) {
    book.begin_decision(at - 10ms);
    book.decide(task, 1s, 0s, at);
    audit.truth().asked(1, {3, number, number, 0, {{.task = task, .machine = 2}}});
  }

  void grant(instant at) { book.grant(task, {2, 1s, at, 1, 0s}); }

  void start(std::uint64_t run, instant at) { audit.truth().started(task, 2, run, at); }

  void end(std::uint64_t run, instant at) {
    audit.truth().ended({task, 2, task_outcome::finished, at}, run);
  }

  /// Owner 1 states what it knows; by that, a commit has been refused.
  void refuse_by_statement(instant at) {
    audit.truth().stated({.owner = 1, .session = session_base(2, 1)}, 3, at);
    refuse(at, conflict_cause::gone);
  }

  void refuse(instant at, conflict_cause cause) {
    book.refuse({.at = at, .task = task, .owner = 1, .machine = 2, .cause = cause});
    book.retry(task, no_instant, wait_reason::behind_others);
  }

  /// The scheduler's record says that the task ended at `at`; returns the fault of that.
  std::string fault(instant at = 7001ms) {
    book.end(task, at, task_fate::finished);
    return audit.look_at(3, 1, book, 20s).value_or("");
  }

  /// The run that the record tells of: it takes the 5 s of the task.
  void run_well(std::uint64_t number = 1) {
    ask(number, 2s);
    start(number, 2001ms);
    grant(2002ms);
    end(number, 7001ms);
  }
};

} // namespace

TEST_CASE_FIXTURE(audited, "a record that tells what happened has no fault") {
  run_well();
  CHECK(fault() == "");
}

TEST_CASE_FIXTURE(audited, "a record must name a run that ended, and when") {
  run_well();
  CHECK(fault(7002ms).find("where no run of it ended then") != std::string::npos);
}

TEST_CASE_FIXTURE(audited, "a run that a record lacks is a fault, unless something has failed") {
  run_well();
  start(2, 3s);
  audit.truth().killed(task, 2, 4s);
  SUBCASE("nothing has failed") {
    CHECK(fault().find("has 1 runs, and there were 2") != std::string::npos);
  }
  SUBCASE("something has failed") {
    audit.disturb();
    CHECK(fault() == "");
  }
}

TEST_CASE_FIXTURE(audited, "a hold that is asked for again in the next session is one attempt") {
  const auto first = session_base(2, 1);
  const auto again = first | stated_again;
  const auto hold = [&](commit_id number, std::uint64_t session) {
    audit.truth().asked(
      1, {3, number, number, session + 1, {{.task = task, .machine = 2}}, commit_mode::hold});
  };
  book.begin_decision(1s);
  book.decide(task, 1s, 0s, 1s);
  start(1, 2001ms);
  grant(2002ms);
  end(1, 7001ms);
  hold(1, first);
  SUBCASE("in the next session") {
    hold(2, again);
    CHECK(fault() == "");
  }
  SUBCASE("in the same one") {
    hold(2, first);
    CHECK(fault().find("has 1 attempts, and there were 2") != std::string::npos);
  }
}

TEST_CASE_FIXTURE(audited, "a run stays unknown that a statement has refused, if it was stopped") {
  ask(1, 1500ms);
  start(1, 1501ms); // its owner dies before the scheduler has its answer
  refuse_by_statement(1800ms);
  SUBCASE("stopped") {
    audit.truth().lose_machine(2, 1700ms);
    run_well(2);
    CHECK(fault() == "");
  }
  SUBCASE("ended by itself") {
    end(1, 1700ms);
    run_well(2);
    CHECK(fault().find("has 1 runs, and there were 2") != std::string::npos);
  }
  SUBCASE("and another one") {
    audit.truth().killed(task, 1, 1700ms);
    start(3, 1900ms);
    audit.truth().killed(task, 3, 1950ms);
    run_well(2);
    CHECK(fault().find("has 1 runs, and there were 3") != std::string::npos);
  }
}

TEST_CASE_FIXTURE(audited, "a refusal that no owner made is a fault") {
  ask(1, 2s);
  refuse(3s, conflict_cause::taken);
  CHECK(audit.look_at(3, 1, book, 20s).value_or("").find("which has refused nothing") !=
        std::string::npos);
}
