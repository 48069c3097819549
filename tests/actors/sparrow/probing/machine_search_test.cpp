#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("each way to find machines sends what it is named for") {
  for (const auto how : {probing::late_binding, probing::random, probing::per_task}) {
    CAPTURE(static_cast<int>(how));
    sparrow_fixture all{sparrow_by(how)};
    all.parts.search.place(all.submit(slot_job(1, 2)), all.out);
    CHECK(all.out.probes.size() == (how == probing::per_task ? 4U : 0U));
    REQUIRE(all.out.entries.size() == (how == probing::late_binding ? 4U
                                       : how == probing::random     ? 2U
                                                                    : 0U));
    for (const auto& [_, entry] : all.out.entries)
      CHECK((entry.kind == entry_kind::task) == (how == probing::random));
  }
}

TEST_CASE_FIXTURE(sparrow_fixture, "groups that are released before the decision wait for it") {
  auto& j = submit(staged_job(1, 1, 2));
  const auto released = j.close(0, 1s);
  parts.accounts.release(j, released);
  parts.search.place_released(j, released, out);
  CHECK(out.entries.empty());
  j.placed = true;
  parts.search.place_released(j, released, out);
  CHECK(out.entries.size() == 4);
}

TEST_CASE("tasks without machines find them when they look again") {
  for (const auto how : {probing::late_binding, probing::random, probing::per_task}) {
    CAPTURE(static_cast<int>(how));
    sparrow_fixture all{sparrow_by(how)};
    all.parts.probed.pools().remove_all();
    auto& j = all.submit(slot_job(1, 2));
    all.parts.search.place(j, all.out);
    CHECK(all.out.entries.empty());
    CHECK(all.out.probes.empty());
    CHECK(all.parts.probed.restore(5));
    all.parts.search.look_again(j, all.out);
    CHECK(all.out.entries.size() + all.out.probes.size() > 0);
  }
}
