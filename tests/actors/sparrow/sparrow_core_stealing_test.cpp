#include "actors/sparrow_cluster.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Where failures are watched: one job, with reservations on some of eight machines.
struct stealing_fixture : cluster_of_one {
  std::vector<machine_id> first;
  machine_id thief = 0;

  stealing_fixture() {
    core.watch_failures(0);
    for (machine_id m = 0; m < 8; ++m)
      core.restore(m, out);
    submit(slot_job(1, 2));
    first = reserved();
    REQUIRE(first.size() == 4);
    while (std::ranges::find(first, thief) != first.end())
      ++thief;
    out.clear();
  }

  void move(machine_id from, machine_id to) { core.move({to, 1, 0, from, 2}, from, out); }
};

} // namespace

TEST_CASE_FIXTURE(stealing_fixture, "a reservation that was stolen is ordered on the thief") {
  move(first[0], thief);
  REQUIRE(out.entries.size() == 1);
  const auto& [to, entry] = out.entries[0];
  CHECK(to == thief);
  CHECK(entry.kind == entry_kind::reservation);
  CHECK(entry.placed_on == first[0]);
  CHECK(entry.length_met == 2);
  const auto answer = core.hand_out({1, 0, thief, first[0], 2}, out);
  CHECK_FALSE(answer.none);
  CHECK(sample().sparrow.stolen == 1);
  move(first[0], thief); // it is not there any more
  CHECK(out.entries.size() == 1);
}

TEST_CASE_FIXTURE(stealing_fixture, "what was stolen is lost with the thief") {
  move(first[0], thief);
  out.clear();
  for (const auto m : {first[1], first[2], first[3]})
    core.remove(m, 1s, out);
  CHECK(out.entries.size() == 1); // two tasks wait, for which the thief alone is not enough
  const auto before = out.entries.size();
  core.remove(thief, 1s, out);
  CHECK(out.entries.size() == before + 1);
}

TEST_CASE_FIXTURE(stealing_fixture,
                  "what a machine that is gone has stolen is reserved elsewhere") {
  for (const auto m : {first[2], first[3], thief})
    core.remove(m, 1s, out);
  out.clear();
  move(first[0], thief);
  REQUIRE(out.entries.size() == 1);
  CHECK(out.entries[0].first != thief);
}

TEST_CASE_FIXTURE(stealing_fixture, "a reservation that nobody needs is not ordered again") {
  for (const auto m : {first[0], first[1]})
    CHECK_FALSE(ask(1, m).none);
  out.clear();
  move(first[2], thief); // it was cancelled meanwhile
  core.move({thief, 99, 0, 0, 0}, first[2], out);
  core.move({thief, 1, 7, 0, 0}, first[2], out);
  CHECK(out.entries.empty());
}
