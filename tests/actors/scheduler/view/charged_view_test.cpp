#include "actors/scheduler/view/charged_view.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a charge is made to the machine, the priority and the tenant, and released alike") {
  auto limits = small_limits(view_source::own_tasks);
  limits.preemption = true;
  scheduler_fixture all{limits, {{}, {}}};
  auto& charged = all.parts.charged;
  auto low = slot_job(1, 2);
  low.tenant = 1;
  random_stream random{1};
  const auto could_preempt = [&] {
    return charged.preemption()->pick(charged.seen(), 1, resources::of_slots(2), random);
  };
  for (machine_id m : {0u, 1u, 2u})
    charged.correct(m, m == 1 ? one_slot : resources{}, 0);
  charged.charge(3, waiting_one(low));
  CHECK(charged.seen().free(3) == one_slot);
  CHECK(charged.tenants()->share(1) == 1. / 8);
  CHECK(could_preempt() == std::optional<machine_id>{3});
  CHECK_FALSE(charged.take_gain());
  charged.move(waiting_one(low), 3, 1);
  CHECK(charged.seen().free(3) == resources::of_slots(2));
  charged.end(1, waiting_one(low));
  CHECK(charged.take_gain());
  CHECK_FALSE(charged.take_gain());
  CHECK(charged.seen().free(1) == one_slot);
  CHECK(charged.tenants()->share(1) == 0);
}

TEST_CASE("a view that learns from offers has nothing before the first one") {
  scheduler_fixture all{small_limits(view_source::offers)};
  CHECK(all.parts.charged.seen().units() == 0);
}

TEST_CASE_FIXTURE(scheduler_fixture, "an end frees nothing that the next snapshot tells of") {
  const auto j = slot_job(1, 1);
  parts.charged.charge(0, waiting_one(j));
  parts.charged.end(0, waiting_one(j));
  CHECK(parts.charged.seen().free(0) == one_slot);
}

TEST_CASE_FIXTURE(scheduler_fixture, "ends free no more than the host of a place has") {
  machines.let_grow();
  machines.growth()->set({{0, {one_slot, {}}}}); // of the two that a host may have
  parts.charged.correct(0, {}, 0);
  for (int times = 0; times < 2; ++times) { // the second end is in the view already
    parts.charged.foresee_end(0, one_slot);
    CHECK(parts.charged.seen().free(0) == one_slot);
  }
  machines.growth()->set({{0, {one_slot, {}}, true}});
  parts.charged.correct(0, {}, 0);
  parts.charged.foresee_end(0, one_slot);
  CHECK(parts.charged.seen().free(0).is_zero());
}

TEST_CASE("tenants share the machines that a growing cluster has") {
  scheduler_fixture all{small_limits(), {{}, {1, 0, 0.5}}};
  auto& charged = all.parts.charged;
  CHECK_FALSE(charged.note_growth()); // it does not grow
  auto machines = slot_catalog({4, 1, 3, 2}, 2, 2);
  machines.let_grow();
  std::vector<placement_outcome> told;
  scheduler_parts parts(5, machines, {0, 1}, std::make_unique<best_score>(told), small_limits(),
                        random_stream{1}, instant{0}, 0, {{}, {1, 0, 0.5}});
  auto& growing = parts.charged;
  growing.take_gain();
  machines.growth()->set({{0, {one_slot, {}}}, {1, {one_slot, {}}}});
  CHECK(growing.note_growth());
  CHECK(growing.take_gain());
  CHECK(growing.tenants()->may_use(1, one_slot));
  CHECK_FALSE(growing.tenants()->may_use(1, resources::of_slots(2)));
  CHECK_FALSE(growing.note_growth());
  machines.growth()->set({{2, {resources::of_slots(2), {}}}});
  CHECK(growing.note_growth());
  CHECK(growing.tenants()->may_use(1, resources::of_slots(2)));
  machines.growth()->set({{2, {{}, {}}, true}});
  CHECK(growing.note_growth());
  CHECK_FALSE(growing.tenants()->may_use(1, resources::of_slots(2)));
}
