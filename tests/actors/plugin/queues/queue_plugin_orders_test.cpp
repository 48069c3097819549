#include "queue_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(queue_fixture, "machines know tasks by the numbers of the cluster") {
  const auto part = resume(slot_job(1, 2), {{{1, 0}, 3}});
  send({part, 0}, 2);
  const auto sent = entries_to(2);
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].order.task == task_id{1, 1});
  CHECK(sent[0].order.by_scheduler);
  CHECK(parts.sent.has({1, 1}, 2));
  CHECK(counts().in_commit == 1);
}

TEST_CASE_FIXTURE(queue_fixture, "a reservation for a job that is over is not sent") {
  parts.orders.send(2, entry({1, 0}, entry_kind::reservation), at_1s, out);
  CHECK(out.entries.empty());
  CHECK(parts.orders.count() == 1);
}

TEST_CASE_FIXTURE(queue_fixture, "a machine that is to be drained gets nothing") {
  submit(slot_job(1, 3));
  parts.moves.asked({1, 0, 2, 2, 0}, out);
  parts.notices.begin_leaving(2);
  send({1, 0}, 2);
  CHECK(out.entries.empty());
  parts.orders.send(2, assignment({1, 1}), at_1s, out);
  REQUIRE(out.assignments.size() == 1);
  CHECK(out.assignments[0].second.none);
  CHECK(counts().in_commit == 2); // the plugin has sent them
}

TEST_CASE_FIXTURE(queue_fixture, "a cancellation of a part of a job does not reach machines") {
  const auto part = resume(slot_job(1, 2), {{{1, 0}, 3}});
  parts.orders.send(2, cancellation{3, part}, out);
  CHECK(out.cancellations.empty());
  parts.orders.send(2, cancellation{3, 2}, out);
  CHECK(out.cancellations.size() == 1);
  parts.orders.send(2, queue_probe{3, 1, 0, one_slot}, out);
  CHECK(out.probes.size() == 1);
}
