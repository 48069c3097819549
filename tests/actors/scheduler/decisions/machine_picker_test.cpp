#include "actors/scheduler/decisions/machine_picker.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a machine that refused is picked again only if there is no other one") {
  auto limits = small_limits();
  limits.keep_away = 5s;
  scheduler_fixture all{limits};
  const auto j = slot_job(1, 1);
  auto& picker = all.parts.picker;
  decision_context context{0s, all.parts.random};
  const auto pick = [&] { return picker.pick(waiting_one(j), context); };
  CHECK(pick() == std::optional<machine_id>{0});
  picker.keep_away(0, 0s);
  CHECK(pick() == std::optional<machine_id>{2});
  for (machine_id m : {1u, 2u, 3u})
    all.parts.charged.correct(m, {}, 0);
  CHECK(pick() == std::optional<machine_id>{0});
}

TEST_CASE("alternatives are other machines of the same owner") {
  auto limits = small_limits();
  limits.candidates = 3;
  scheduler_fixture all{limits};
  const auto j = slot_job(1, 1);
  decision_context context{0s, all.parts.random};
  decided_placement d;
  d.task = waiting_one(j);
  d.machine = 0;
  all.parts.picker.add_alternatives(d, context);
  REQUIRE(d.others.size() == 1);
  CHECK(d.others[0].machine == 1);
  all.parts.picker.withdraw_alternatives(d);
  CHECK(d.others.empty());
}
