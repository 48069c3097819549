#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("the tasks of a round go where the queues are shortest") {
  sparrow_fixture all{sparrow_by(probing::batch)};
  auto& j = all.decide(slot_job(1, 2));
  all.parts.probed.begin();
  all.parts.probes.probe_for(j, 0, 2, all.out);
  const auto probes = all.out.probes;
  REQUIRE(probes.size() == 4);
  CHECK(j.ready() == 0);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(all.out.entries.empty());
    all.parts.probes.answer({probes[i].second.round, i, i < 2 ? 9 : 1}, all.out);
  }
  REQUIRE(all.out.entries.size() == 2);
  for (const auto& [to, _] : all.out.entries)
    CHECK((to == probes[2].first || to == probes[3].first));
  all.parts.probes.answer({probes[0].second.round, 0, 0}, all.out); // the round is over
  CHECK(all.out.entries.size() == 2);
}

TEST_CASE("a machine that owes an answer and is given up gets no task") {
  sparrow_fixture all{sparrow_by(probing::per_task)};
  auto& j = all.decide(slot_job(1, 1));
  all.parts.probed.begin();
  all.parts.probes.probe_for(j, 0, 2, all.out);
  const auto probes = all.out.probes;
  REQUIRE(probes.size() == 2);
  all.parts.probes.answer({probes[0].second.round, 0, 1000}, all.out);
  all.parts.probed.remove(probes[1].first);
  all.parts.probes.give_up(probes[1].first, all.out);
  REQUIRE(all.out.entries.size() == 1);
  CHECK(all.out.entries[0].first == probes[0].first);
}
