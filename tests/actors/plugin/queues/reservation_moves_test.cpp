#include "queue_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(queue_fixture,
                  "a plugin is asked for a task unless the reservation is of no use") {
  submit(slot_job(1, 2));
  parts.told.take();
  parts.moves.asked({1, 0, 2, 2, 4}, out);
  const auto asked = heard<get_task_request>();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].length_met == 4);
  CHECK(parts.requests.has(2, {1, 0}));
  CHECK(out.assignments.empty());
  parts.moves.asked({9, 0, 2, 2, 4}, out); // its job is over
  parts.notices.begin_leaving(3);
  parts.moves.asked({1, 0, 3, 3, 4}, out);
  REQUIRE(out.assignments.size() == 2);
  for (const auto& [_, answer] : out.assignments)
    CHECK(answer.none);
  CHECK(heard<get_task_request>().empty());
}

TEST_CASE_FIXTURE(queue_fixture,
                  "a reservation is placed on the first machine that could take it") {
  submit(slot_job(1, 2));
  parts.moves.move({1, 1, 0, 0, -2}, 0, out);
  CHECK(entries_to(1).at(0).placed_on == 0);
  parts.notices.tell(1, {});
  parts.moves.move({1, 1, 0, 2, -2}, 3, out);
  CHECK(entries_to(3).size() == 1); // back to where it came from
  parts.notices.tell(3, {});
  parts.moves.move({1, 1, 0, 2, -2}, 3, out);
  CHECK(entries_to(2).size() == 1); // where it is for the plugin
  parts.notices.tell(2, {});
  parts.moves.move({1, 1, 0, 2, -2}, 3, out);
  parts.moves.move({0, 9, 0, 0, -2}, 0, out); // its job is over
  CHECK(out.entries.empty());
}

TEST_CASE_FIXTURE(queue_fixture, "a machine gives back what does not fit, or all of it") {
  auto j = slot_job(1, 2);
  j.groups.push_back({1, resources::of_slots(2), {std::chrono::seconds{1}}});
  submit(j);
  parts.moves.move({1, 1, 0, 0, 0}, 0, out);
  parts.moves.move({1, 1, 1, 0, 0}, 0, out);
  out.clear();
  parts.moves.give_back(1, one_slot, out);
  auto back = entries_to(0);
  REQUIRE(back.size() == 1);
  CHECK(back[0].group == 1);
  parts.moves.give_back_all(1, out);
  back = entries_to(0);
  REQUIRE(back.size() == 1);
  CHECK(back[0].group == 0);
}
