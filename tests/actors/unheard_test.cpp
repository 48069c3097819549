#include "actors/common/unheard.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

/// A scheduler that places one task more each time, and says how many it has queued.
struct unheard_fixture {
  unheard<scheduler_status> kept;
  std::uint64_t queued = 0;

  scheduler_status ask(const sample_mark& heard) {
    scheduler_status now;
    now.samples.push_back({1, {}});
    now.samples[0].sample.tasks.placed = 1;
    now.samples[0].sample.tasks.queued = ++queued;
    return kept.tell(heard, 3, now);
  }
};

std::uint64_t placed(const scheduler_status& s) {
  return s.samples.at(0).sample.tasks.placed;
}

} // namespace

TEST_CASE_FIXTURE(unheard_fixture, "what was heard is told once") {
  const auto first = ask({});
  CHECK(placed(first) == 1);
  CHECK(first.mark.incarnation == 3);
  const auto second = ask(first.mark);
  CHECK(placed(second) == 1);
  CHECK(second.mark.number == first.mark.number + 1);
}

TEST_CASE_FIXTURE(unheard_fixture, "what was lost on the way is told again, with what came since") {
  const auto first = ask({});
  ask(first.mark); // lost
  ask(first.mark); // lost
  const auto fourth = ask(first.mark);
  CHECK(placed(fourth) == 3);
  CHECK(fourth.samples.at(0).sample.tasks.queued == 4); // of now
  CHECK(placed(ask(fourth.mark)) == 1);
}

TEST_CASE_FIXTURE(unheard_fixture, "a question that comes late, and again, costs nothing") {
  const auto first = ask({});
  const auto second = ask(first.mark);
  ask(first.mark); // overtaken by the one before
  const auto third = ask(second.mark);
  CHECK(placed(first) + placed(second) + placed(third) == 4);
}

TEST_CASE_FIXTURE(unheard_fixture,
                  "acknowledgements to another incarnation do not count for this one") {
  ask({});
  CHECK(placed(ask({2, 9})) == 2);
}

TEST_CASE_FIXTURE(unheard_fixture, "nothing is lost however long nobody listens") {
  for (int i = 0; i < 100; ++i)
    ask({});
  CHECK(placed(ask({})) == 101);
}

TEST_CASE("counts of partitions that were lost on the way come with later ones") {
  unheard<owner_status> kept;
  const auto ask = [&](const sample_mark& heard, std::uint64_t granted) {
    owner_status now;
    now.partitions.resize(2);
    now.partitions[1].granted = granted;
    now.partitions[1].refused[2] = 1;
    now.partitions[1].running = static_cast<std::uint32_t>(granted);
    return kept.tell(heard, 1, now);
  };
  const auto first = ask({}, 5);
  ask(first.mark, 7); // lost
  const auto third = ask(first.mark, 2);
  CHECK(third.partitions[1].granted == 9);
  CHECK(third.partitions[1].refused[2] == 2);
  CHECK(third.partitions[1].running == 2); // of now
}
