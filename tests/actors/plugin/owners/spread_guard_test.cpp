#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// A job that spreads, of which task 0 runs on machine 1 since an earlier incarnation.
struct spread_fixture : member_fixture {
  spread_fixture() {
    resume(spreading_job(1, 4), {{{1, 0}, 1}});
    part = submitted().at(0).id;
  }

  job_id part = 0; ///< the other tasks, as the plugin knows them
};

} // namespace

TEST_CASE_FIXTURE(spread_fixture, "a machine has a task that the plugin does not know") {
  CHECK(parts.spread.has_beside({1, 1}, 1));
  CHECK_FALSE(parts.spread.has_beside({1, 1}, 0));
  CHECK_FALSE(parts.spread.has_beside({1, 0}, 1)); // the task itself
}

TEST_CASE_FIXTURE(spread_fixture, "tasks that the plugin knows together are its own concern") {
  parts.orders.commit(0, request(1, {on(0, {part, 0})}), at_1s);
  CHECK_FALSE(parts.spread.has_beside({1, 2}, 0));
  CHECK(parts.spread.has_beside({1, 0}, 0)); // a task is on its way there
}

TEST_CASE_FIXTURE(spread_fixture,
                  "placements beside others are refused, and alternatives dropped") {
  auto wanted = request(1, {on(1, {1, 1}), on(0, {1, 2})});
  wanted.alternatives = {{0, 2}, {1, 1}};
  const auto refused = parts.spread.keep_apart(wanted);
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].index == 0);
  CHECK(refused[0].cause == conflict_cause::taken);
  REQUIRE(wanted.alternatives.size() == 1);
  CHECK(wanted.alternatives[0].index == 0);
}

TEST_CASE_FIXTURE(spread_fixture, "all of a commit is refused that stands or falls as one") {
  auto wanted = request(1, {on(0, {1, 1}), on(1, {1, 2})}, commit_mode::together);
  const auto refused = parts.spread.keep_apart(wanted);
  REQUIRE(refused.size() == 2);
  CHECK(refused[0].cause == conflict_cause::aborted);
  CHECK(refused[1].cause == conflict_cause::taken);
}

TEST_CASE_FIXTURE(member_fixture, "a job that does not spread is placed anywhere") {
  resume(slot_job(1, 2), {{{1, 0}, 1}});
  auto wanted = request(1, {on(1, {1, 1})});
  CHECK(parts.spread.keep_apart(wanted).empty());
}
