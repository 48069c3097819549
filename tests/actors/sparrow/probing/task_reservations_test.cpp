#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture,
                  "a task is handed out once, and what is left over is cancelled") {
  auto& j = decide(slot_job(1, 1));
  parts.reservations.reserve(j, 0, 3, out);
  REQUIRE(out.entries.size() == 3);
  CHECK(j.groups[0].reserved == 3);
  const auto first = out.entries[0].first;
  const auto given = parts.reservations.hand_out({1, 0, first, first, 0}, out);
  CHECK_FALSE(given.none);
  CHECK(given.order.task == task_id{1, 0});
  CHECK(j.reservations.empty());
  REQUIRE(out.cancellations.size() == 2);
  for (const auto& [machine, what] : out.cancellations) {
    CHECK(machine != first);
    CHECK(what.job == 1);
  }
  CHECK(parts.reservations.hand_out({1, 0, out.entries[1].first, 0, 0}, out).none);
  CHECK(parts.reservations.hand_out({9, 0, first, first, 0}, out).none); // no such job
  const auto s = sample();
  CHECK(s.sparrow.requests == 3);
  CHECK(s.sparrow.noops == 2);
}

TEST_CASE_FIXTURE(sparrow_fixture, "only what lacks a reservation is reserved for again") {
  auto& j = decide(slot_job(1, 3));
  parts.reservations.reserve(j, 0, 2, out);
  out = {};
  parts.reservations.reserve_what_is_missing(j, out);
  CHECK(out.entries.size() == 1);
  out = {};
  parts.reservations.reserve_what_is_missing(j, out);
  CHECK(out.entries.empty());
}

TEST_CASE_FIXTURE(sparrow_fixture, "a reservation that has moved is made on the other machine") {
  auto& j = decide(slot_job(1, 1));
  parts.reservations.reserve(j, 0, 1, out);
  const auto from = out.entries.at(0).first;
  const auto to = from == 7 ? machine_id{0} : from + 1;
  out = {};
  parts.reservations.move({to, 1, 0, from, 4}, from, out);
  REQUIRE(out.entries.size() == 1);
  CHECK(out.entries[0].first == to);
  CHECK(out.entries[0].second.placed_on == from);
  CHECK(out.entries[0].second.length_met == 4);
  REQUIRE(j.reservations.size() == 1);
  CHECK(j.reservations[0].machine == to);
  out = {};
  parts.probed.remove(from);
  parts.reservations.move({from, 1, 0, from, 4}, to, out); // it is gone: another one is found
  REQUIRE(out.entries.size() == 1);
  CHECK(out.entries[0].first != from);
}
