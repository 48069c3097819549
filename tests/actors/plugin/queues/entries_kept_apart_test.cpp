#include "queue_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// A job that spreads, of which task 0 runs on machine 1 since an earlier incarnation.
struct kept_apart_fixture : queue_fixture {
  job_id part = resume(spreading_job(1, 4), {{{1, 0}, 1}}); ///< the other tasks
};

} // namespace

TEST_CASE_FIXTURE(kept_apart_fixture,
                  "a task waits until one that ran before a takeover has ended") {
  send({part, 0}, 1);
  send({part, 1}, 0);
  CHECK(entries_to(0).size() == 1);
  CHECK(parts.apart.keeps({1, 1}, 1));
  CHECK(counts().in_commit == 2); // for the plugin it waits there
  end({1, 0}, 1);
  const auto sent = entries_to(1);
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].order.task == task_id{1, 1});
  CHECK_FALSE(parts.apart.keeps({1, 1}, 1));
}

TEST_CASE_FIXTURE(kept_apart_fixture,
                  "a task that is handed out beside another one waits as well") {
  const auto of = parts.names.named({part, 0}).value();
  parts.moves.asked({of.job, of.group, 1, 1, -1}, out);
  parts.orders.send(1, assignment({part, 2}), at_1s, out);
  REQUIRE(out.assignments.size() == 1);
  CHECK(out.assignments[0].second.none);
  CHECK(out.assignments[0].second.group == of.group);
  CHECK(counts().in_commit == 1);
  end({1, 0}, 1);
  const auto sent = entries_to(1);
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].kind == entry_kind::task);
  CHECK(sent[0].order.task == task_id{1, 3});
  CHECK(sent[0].order.by_scheduler);
}

TEST_CASE_FIXTURE(kept_apart_fixture, "tasks of several parts of a job run one after the other") {
  send({part, 0}, 2);
  parts.runs.start({{1, 1}, 2, at_1s});
  end({1, 0}, 1, task_outcome::lost); // it is a part of its own now
  const auto again = submitted().at(0).id;
  send({again, 0}, 2);
  send({part, 1}, 1);
  CHECK(parts.apart.keeps({1, 0}, 2));
  send({part, 2}, 2); // the plugin knows that it is beside task 1
  out.clear();
  end({1, 1}, 2);
  CHECK(entries_to(2).empty()); // the last one is still there
  parts.runs.start({{1, 3}, 2, at_1s});
  end({1, 3}, 2);
  CHECK(entries_to(2).size() == 1);
}

TEST_CASE_FIXTURE(queue_fixture, "tasks that the plugin knows together are its own concern") {
  submit(spreading_job(1, 2));
  run({1, 0}, 1);
  out.clear();
  send({1, 1}, 1);
  CHECK(entries_to(1).size() == 1);
  const auto part = resume(slot_job(2, 2), {{{2, 0}, 1}}); // it does not spread
  send({part, 0}, 1);
  CHECK(entries_to(1).size() == 1);
}

TEST_CASE_FIXTURE(kept_apart_fixture,
                  "what is kept for a machine that is gone is the plugin's again") {
  send({part, 0}, 1);
  parts.changes.remove(1, at_1s, out);
  CHECK_FALSE(parts.apart.keeps({1, 1}, 1));
  CHECK(entries_to(1).empty());
  parts.changes.hear(1, 1, out);
  CHECK(counts().in_commit == 0);
  CHECK(counts().queued == 4);
}

TEST_CASE_FIXTURE(kept_apart_fixture, "what does not fit any more is not kept") {
  send({part, 0}, 1);
  parts.changes.set_capacity({1, {}, 4}, out);
  parts.changes.hear(1, 1, out);
  CHECK_FALSE(parts.apart.keeps({1, 1}, 1));
  end({1, 0}, 1);
  CHECK(entries_to(1).empty());
  CHECK(counts().queued == 3);
}

TEST_CASE_FIXTURE(kept_apart_fixture,
                  "a machine that is to be drained does not wait for what is kept") {
  send({part, 0}, 1);
  parts.changes.retire(1);
  const auto told = heard<capacity_notice>();
  REQUIRE(told.size() == 1);
  CHECK(told[0].capacity.is_zero());
  parts.changes.hear(1, told[0].number, out);
  CHECK(counts().queued == 3);
  end({1, 0}, 1);
  CHECK(entries_to(1).empty());
}
