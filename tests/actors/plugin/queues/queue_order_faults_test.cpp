#include "queue_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(queue_fixture, "entries of tasks that are the plugin's to place have no fault") {
  submit(slot_job(1, 2));
  CHECK(parts.faults.of(0, entry({1, 0})) == "");
  CHECK(parts.faults.of(0, entry({1, 2})) ==
        "sends task 1.2 to machine 0, which it was not given, or which is over");
  run({1, 0}, 2);
  CHECK(parts.faults.of(0, entry({1, 0})) ==
        "sends task 1.0 to machine 0 a second time: it runs on machine 2");
  CHECK(parts.faults.of(0, entry({7, 0}, entry_kind::reservation)) == ""); // it may be over
}

TEST_CASE_FIXTURE(queue_fixture, "an answer needs a request") {
  submit(slot_job(1, 2));
  CHECK_FALSE(parts.faults.of(2, assignment({1, 0})).empty());
  parts.moves.asked({1, 0, 2, 2, 0}, out);
  CHECK(parts.faults.of(2, assignment({1, 0})) == "");
  CHECK_FALSE(parts.faults.of(2, assignment({1, 0}, 1)).empty());
  CHECK(parts.faults.of(2, assignment({1, 5})) ==
        "hands task 1.5 to machine 2, which it was not given, or which is over");
}

TEST_CASE_FIXTURE(queue_fixture, "nothing is sent in the name of another scheduler") {
  CHECK(parts.faults.of(0, cancellation{4, 1}) ==
        "sends a cancellation in the name of scheduler 4");
  CHECK(parts.faults.of(0, cancellation{3, 1}) == "");
  CHECK_FALSE(parts.faults.of(0, capacity_heard{4, 0}).empty());
  CHECK(parts.faults.of(0, capacity_heard{3, 0}) == "");
  CHECK_FALSE(parts.faults.of(0, capacity_heard{3, 1}).empty()); // there was no notice
}
