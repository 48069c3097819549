#include "actors/scheduler/commits/open_transactions.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("transactions keep their numbers while earlier ones end in any order") {
  const auto one = slot_job(1, 1);
  const auto two = slot_job(2, 1);
  open_transactions all;
  const auto a = all.open(waiting_one(one), false);
  const auto b = all.open(waiting_one(two), true);
  CHECK(all[a].mode == commit_mode::each);
  CHECK(all[b].mode == commit_mode::together);
  CHECK(all.latest_is_of(2));
  all.refuse(b, waiting_one(two));
  CHECK(all.refused() == 1);
  all.end(a);
  all.drop_over();
  CHECK(all[b].job == 2);
  CHECK(all.latest() == b);
  CHECK(all.open(waiting_one(one), false) == b + 1);
  CHECK(all.end(b).back.size() == 1);
  CHECK(all.refused() == 0);
}

TEST_CASE("only transactions without a commit are dropped with a withdrawn decision") {
  const auto j = slot_job(1, 1);
  open_transactions all;
  const auto sent = all.open(waiting_one(j), false);
  all[sent].open = 1;
  all.open(waiting_one(j), false);
  all.drop_uncommitted();
  CHECK(all.latest() == sent);
}

TEST_CASE("after some refusals the delay of a retry is random, and at most a second") {
  random_stream random{1};
  const transaction t;
  CHECK(t.contention_delay(7, random) == duration::zero());
  const auto delay = t.contention_delay(30, random);
  CHECK(delay > duration::zero());
  CHECK(delay <= 1s);
}
