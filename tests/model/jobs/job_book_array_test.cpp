#include "model/jobs/job_book.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Five tasks in two groups, of which `limit` may wait or run at a time.
job array(job_id id, std::uint32_t limit) {
  job j{id, 2s, duration{0}, {}};
  j.groups.push_back({2, one_slot, {1s}});
  j.groups.push_back({3, one_slot, {1s}});
  j.at_once = limit;
  return j;
}

std::vector<std::uint32_t> take_all_of(job_book& book) {
  std::vector<std::uint32_t> out;
  while (book.has_waiting())
    out.push_back(book.take_head().task.index);
  return out;
}

} // namespace

TEST_CASE("the next task of an array enters the queue when one is over") {
  job_book book;
  book.submit(array(7, 3));
  CHECK(book.waiting() == 3);
  CHECK(book.blocked() == 2);
  CHECK(take_all_of(book) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK_FALSE(book.has_next());
  CHECK(book.is_blocked({7, 3}));
  CHECK_FALSE(book.is_blocked({7, 2}));
  CHECK_FALSE(book.close({7, 1}, 9s));
  CHECK(book.blocked() == 1);
  CHECK_FALSE(book.is_blocked({7, 3}));
  REQUIRE(book.has_next());
  CHECK(book.head().submitted == 9s); // its delay counts from then
  CHECK(book.take_head().task == task_id{7, 3});
  CHECK_FALSE(book.close({7, 3}, 10s));
  CHECK_FALSE(book.close({7, 0}, 11s));
  CHECK(take_all_of(book) == std::vector<std::uint32_t>{4});
  CHECK_FALSE(book.close({7, 2}, 12s));
  CHECK(book.close({7, 4}, 13s));
  CHECK(book.open_jobs() == 0);
  CHECK(book.blocked() == 0);
}

TEST_CASE("a limit that is no less than the number of tasks, or of a gang, is none") {
  job_book book;
  book.submit(array(1, 5));
  CHECK(book.waiting() == 5);
  auto gang = array(2, 1);
  gang.gang = true;
  book.submit(gang);
  CHECK(book.waiting() == 10);
  CHECK(book.blocked() == 0);
}

TEST_CASE("other jobs pass the tasks of an array that wait for its limit") {
  job_book book;
  book.submit(array(1, 1));
  book.submit(array(2, 0));
  CHECK(book.take_head().task == task_id{1, 0});
  CHECK(take_all_of(book).size() == 5);
  book.close({1, 0}, 3s);
  CHECK(book.take_head().task == task_id{1, 1});
}

TEST_CASE("an array that is resumed keeps its limit") {
  job_book book;
  // Task 0 is over, 2 runs; 1, 3 and 4 wait.
  book.resume(array(7, 2), {1, 3, 4}, {0});
  CHECK(book.waiting() == 1);
  CHECK(book.blocked() == 2);
  CHECK(take_all_of(book) == std::vector<std::uint32_t>{1});
  CHECK_FALSE(book.close({7, 2}, 4s));
  CHECK(take_all_of(book) == std::vector<std::uint32_t>{3});
  CHECK_FALSE(book.close({7, 1}, 4s));
  CHECK(take_all_of(book) == std::vector<std::uint32_t>{4});
  CHECK(book.blocked() == 0);
}

TEST_CASE("more tasks of an array than its limit may run when it is resumed") {
  job_book book;
  book.resume(array(7, 1), {4}, {});
  CHECK(book.waiting() == 0);
  CHECK(book.blocked() == 1);
  CHECK_FALSE(book.close({7, 0}, 4s));
  CHECK(take_all_of(book) == std::vector<std::uint32_t>{4});
}

TEST_CASE("an array that is dropped has no tasks left to wait") {
  job_book book;
  book.submit(array(7, 2));
  CHECK(book.take_head().task.index == 0);
  const auto dropped = book.drop(7);
  CHECK(dropped.size() == 4);
  CHECK(book.waiting() == 0);
  CHECK(book.blocked() == 0);
  for (const auto& t : dropped)
    CHECK_FALSE(book.close(t.task, 5s, task_fate::abandoned));
  CHECK(book.close({7, 0}, 6s));
}
