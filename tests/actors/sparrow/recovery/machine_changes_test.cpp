#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture, "what was on a machine that is removed waits again") {
  auto& j = decide(slot_job(1, 3));
  run(j, 4);
  parts.launcher.launch(j, 0, j.take_task(0), 4);
  parts.changes.remove(4, 5s, out);
  CHECK(counts().queued == 3);
  CHECK(parts.accounts.waits_since(j, {1, 0}, 0) == 5s); // it has run
  CHECK(parts.accounts.waits_since(j, {1, 1}, 0) == 0s);
  CHECK(out.entries.size() == 3);
  for (const auto& [to, _] : out.entries)
    CHECK(to != 4);
  out = {};
  parts.changes.remove(4, 6s, out);
  CHECK(out.entries.empty());
  parts.accounts.check();
}

TEST_CASE_FIXTURE(sparrow_fixture, "a machine with less gives back what does not fit and waits") {
  auto& j = decide(slot_job(1, 2));
  run(j, 4);
  parts.launcher.launch(j, 0, j.take_task(0), 4);
  parts.changes.set_capacity({4, {}, 7}, out);
  REQUIRE(out.heard.size() == 1);
  CHECK(out.heard[0].second.number == 7);
  CHECK(counts().queued == 1);
  CHECK(counts().running == 1); // until its end is told
  REQUIRE(out.entries.size() == 1);
  CHECK(out.entries[0].first != 4);
  CHECK(parts.probed.is_gone(4));
  parts.changes.set_capacity({4, one_slot, 8}, out);
  CHECK_FALSE(parts.probed.is_gone(4));
}

TEST_CASE_FIXTURE(sparrow_fixture, "a machine that is to be drained keeps its tasks") {
  auto& j = decide(slot_job(1, 2));
  run(j, 4);
  j.reservations.push_back({4, 0});
  ++j.groups[0].reserved;
  parts.changes.retire(4, out);
  CHECK(counts().running == 1);
  REQUIRE(out.entries.size() == 1); // the reservation, elsewhere
  CHECK(out.entries[0].first != 4);
}

TEST_CASE_FIXTURE(sparrow_fixture, "a machine that comes takes what had no machine") {
  parts.affected.watch(1, machines.machines());
  parts.probed.pools().remove_all();
  auto& j = submit(slot_job(1, 1));
  parts.search.place(j, out);
  CHECK(out.entries.empty());
  const capacity_notice away{5, {}, 1};
  parts.changes.restore(5, out, &away);
  CHECK(out.entries.empty());
  CHECK(out.heard.size() == 1);
  parts.changes.restore(5, out, nullptr);
  REQUIRE(out.entries.size() == 1);
  CHECK(out.entries[0].first == 5);
}

TEST_CASE("the answers of machines that leave are not waited for") {
  for (const bool for_ever : {true, false}) {
    CAPTURE(for_ever);
    sparrow_fixture all{sparrow_by(probing::per_task)};
    all.parts.search.place(all.submit(slot_job(1, 1)), all.out);
    const auto probes = all.out.probes;
    REQUIRE(probes.size() == 2);
    all.parts.probes.answer({probes[1].second.round, 1, 1000}, all.out);
    CHECK(all.out.entries.empty());
    if (for_ever)
      all.parts.changes.remove(probes[0].first, 1s, all.out);
    else
      all.parts.changes.set_capacity({probes[0].first, {}, 1}, all.out);
    REQUIRE(all.out.entries.size() == 1);
    CHECK(all.out.entries[0].first == probes[1].first);
  }
}
