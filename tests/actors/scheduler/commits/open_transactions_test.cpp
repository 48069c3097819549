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
  all[b].back.push_back(waiting_one(two));
  CHECK(all.refused() == 1);
  all[a].over = true;
  all.drop_over();
  CHECK(all[b].job == 2);
  CHECK(all.latest() == b);
  CHECK(all.open(waiting_one(one), false) == b + 1);
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

TEST_CASE("a transaction that several owners keep refusing waits for a random time") {
  const auto j = slot_job(1, 1);
  random_stream random{1};
  transaction t;
  t.mode = commit_mode::hold;
  t.back.push_back(waiting_one(j));
  CHECK(t.contention_delay(random) == duration::zero());
  t.back.front().attempts = 30;
  const auto delay = t.contention_delay(random);
  CHECK(delay > duration::zero());
  CHECK(delay <= 1s);
  t.mode = commit_mode::together;
  CHECK(t.contention_delay(random) == duration::zero());
}
