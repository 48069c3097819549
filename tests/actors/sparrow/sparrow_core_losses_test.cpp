#include "actors/sparrow_cluster.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("what runs again waits from the loss of its last run on") {
  cluster_of_one c;
  c.submit(slot_job(1, 2, 1s));
  const auto reserved = c.reserved();
  const auto a = c.ask(1, reserved[0]);
  CHECK_FALSE(c.ask(1, reserved[1]).none);
  c.start(a, reserved[0], 3s);
  auto s = c.sample(4s);
  CHECK(s.delay.max() == doctest::Approx(2));
  CHECK(s.waiting.count() == 1); // sent, and not started
  CHECK(s.waiting.max() == doctest::Approx(3));
  c.out.clear();
  c.core.remove(reserved[0], 5s, c.out);
  c.core.remove(reserved[1], 5s, c.out);
  s = c.sample(6s);
  CHECK(s.waiting.count() == 2);
  CHECK(s.waiting.min() == doctest::Approx(1)); // it has run until 5 s
  CHECK(s.waiting.max() == doctest::Approx(5)); // it has never run
  auto again = c.reserved();
  std::erase_if(again, [&](machine_id m) { return m == reserved[0] || m == reserved[1]; });
  for (std::size_t i = 0; i < 2; ++i)
    c.start(c.ask(1, again.at(i)), again.at(i), 7s);
  s = c.sample(8s);
  CHECK(s.delay.count() == 2);
  CHECK(s.delay.min() == doctest::Approx(2));
  CHECK(s.delay.max() == doctest::Approx(6));
  CHECK(s.waiting.empty());
  CHECK(s.open_jobs.max() == doctest::Approx(7));
}

TEST_CASE("what was on a machine that is gone is reserved, and run, elsewhere") {
  cluster_of_one c;
  c.submit(slot_job(1, 2));
  const auto reserved = c.reserved();
  const auto a = c.ask(1, reserved[0]);
  c.start(a, reserved[0], 1s);
  CHECK(c.core.counts().running == 1);
  c.out.clear();
  c.core.remove(reserved[0], 0s, c.out);
  CHECK(c.core.counts().running == 0);
  CHECK(c.core.counts().queued == 2);
  c.core.remove(reserved[1], 0s, c.out);
  c.core.remove(reserved[2], 0s, c.out);
  c.core.remove(reserved[3], 0s, c.out);
  // Two tasks wait, so two reservations stand, on machines that are there.
  std::vector<machine_id> left;
  for (const auto m : c.reserved())
    if (std::ranges::find(reserved, m) == reserved.end())
      left.push_back(m);
  REQUIRE(left.size() == 2);
  CHECK_FALSE(c.ask(1, left[0]).none);
  CHECK_FALSE(c.ask(1, left[1]).none);
  // News from the dead changes nothing.
  c.end(a.order.task, reserved[0], 3s);
  CHECK(c.sample().duplicate_grants == 0);
  CHECK(c.core.counts().finished == 0);
}

TEST_CASE("a machine that is to be drained may start what it has been sent") {
  cluster_of_one c;
  c.submit(slot_job(1, 1));
  const auto m = c.reserved()[0];
  const auto answer = c.ask(1, m);
  c.core.retire(m, c.out);
  c.start(answer, m, 1s);
  CHECK(c.core.counts().running == 1);
  CHECK(c.sample().constraint_violations == 0);
}

TEST_CASE("a task that was killed is run again") {
  for (const auto how : {probing::late_binding, probing::random}) {
    cluster_of_one c{probing_by(how)};
    c.submit(slot_job(1, 1));
    machine_id m = c.out.entries[0].first;
    if (how == probing::late_binding)
      c.ask(1, m);
    c.core.book({{{{1, 0}, m, 1s}}, {{{1, 0}, m, task_outcome::preempted, 2s}}}, c.out);
    CHECK(c.core.counts().running == 0);
    CHECK(c.core.counts().queued + c.core.counts().in_commit == 1);
    m = c.out.entries.back().first;
    if (how == probing::late_binding)
      CHECK_FALSE(c.ask(1, m).none);
    c.core.book({{{{1, 0}, m, 3s}}, {{{1, 0}, m, task_outcome::finished, 4s}}}, c.out);
    CHECK(c.core.idle());
    CHECK(c.sample().duplicate_grants == 0);
  }
}
