#include "model/jobs/job_book.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Group 2 waits for groups 0 and 1, group 3 for group 2.
job diamond(job_id id) {
  job j{id, 2s, duration{0}, {}};
  for (std::uint32_t count : {2, 1, 2, 1})
    j.groups.push_back({count, one_slot, {1s}});
  j.groups[2].after = {0, 1};
  j.groups[3].after = {2};
  return j;
}

std::vector<std::uint32_t> take_indices(job_book& book) {
  std::vector<std::uint32_t> out;
  while (book.has_waiting())
    out.push_back(book.take_head().task.index);
  return out;
}

} // namespace

TEST_CASE("a group's tasks wait until all tasks of those before it are over") {
  job_book book;
  book.submit(diamond(7));
  CHECK(book.waiting() == 3);
  CHECK(book.blocked() == 3);
  CHECK(take_indices(book) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK_FALSE(book.has_next());
  CHECK_FALSE(book.close({7, 0}, 5s));
  CHECK_FALSE(book.close({7, 2}, 6s));
  CHECK_FALSE(book.has_waiting());
  CHECK_FALSE(book.close({7, 1}, 9s));
  CHECK(book.waiting() == 2);
  CHECK(book.blocked() == 1);
  book.visit_waiting([](const job&, instant since, std::uint32_t tasks) {
    CHECK(since == 9s); // what waits for others does not wait for a place
    CHECK(tasks == 2);
  });
  CHECK(book.head().submitted == 9s);
  CHECK_FALSE(book.head().opens_job);
  CHECK(take_indices(book) == std::vector<std::uint32_t>{3, 4});
  book.close({7, 3}, 12s);
  book.close({7, 4}, 11s);
  CHECK(take_indices(book) == std::vector<std::uint32_t>{5});
  CHECK(book.find({7, 5})->submitted == 11s);
  CHECK(book.close({7, 5}, 20s)->response == 18s);
  CHECK(book.open_jobs() == 0);
}

TEST_CASE("tasks of other jobs go on meanwhile") {
  job_book book;
  book.submit(diamond(7));
  book.submit(slot_job(8, 2));
  std::vector<job_id> taken;
  while (book.has_waiting())
    taken.push_back(book.take_head().task.job);
  CHECK(taken == std::vector<job_id>{7, 7, 7, 8, 8});
  for (std::uint32_t i : {0, 1, 2})
    book.close({7, i}, 5s);
  CHECK(book.waiting() == 2);
}

TEST_CASE("a job that is dropped leaves with what waits for others") {
  job_book book;
  book.submit(diamond(7));
  book.take_head();
  const auto dropped = book.drop(7);
  CHECK(dropped.size() == 5);
  CHECK(book.waiting() == 0);
  CHECK(book.blocked() == 0);
  for (std::uint32_t i : {1, 2, 3, 4, 5})
    CHECK_FALSE(book.close({7, i}, 5s));
  CHECK_FALSE(book.has_waiting());
  CHECK(book.close({7, 0}, 6s));
}

TEST_CASE("a group may only wait for those before it") {
  job_book book;
  auto circle = diamond(7);
  circle.groups[1].after = {2};
  CHECK_THROWS_AS(book.submit(circle), std::invalid_argument);
  CHECK(book.open_jobs() == 0);
}

TEST_CASE("a job that is resumed goes on behind the groups that are over") {
  job_book book;
  book.resume(diamond(7), {3, 4, 5}, {0, 1, 2});
  CHECK(book.waiting() == 2);
  CHECK(book.blocked() == 1);
  CHECK(take_indices(book) == std::vector<std::uint32_t>{3, 4});
  CHECK_FALSE(book.close({7, 3}, 5s));
  CHECK_FALSE(book.close({7, 4}, 6s));
  CHECK(take_indices(book) == std::vector<std::uint32_t>{5});
  CHECK(book.close({7, 5}, 8s));
}

TEST_CASE("a job that is resumed waits for what still runs of it") {
  job_book book;
  book.resume(diamond(7), {3, 4, 5}, {0, 2}); // task 1 runs
  CHECK_FALSE(book.has_waiting());
  CHECK(book.blocked() == 3);
  CHECK_FALSE(book.close({7, 1}, 5s));
  CHECK(take_indices(book) == std::vector<std::uint32_t>{3, 4});
  CHECK(book.find({7, 3})->submitted == 5s);
  CHECK(book.blocked() == 1);
}

TEST_CASE("tasks that ran ahead of their job's resumption are released once") {
  job_book book;
  // Group 1 was over for the earlier incarnation, and is not known to be: task 3 of group 2 runs.
  book.resume(diamond(7), {2, 4, 5}, {0, 1});
  CHECK(take_indices(book) == std::vector<std::uint32_t>{2});
  book.put_back(*book.find({7, 3})); // it is lost, and waits again, for task 2
  CHECK_FALSE(book.has_waiting());
  CHECK(book.blocked() == 3);
  CHECK_FALSE(book.close({7, 2}, 9s));
  CHECK(take_indices(book) == std::vector<std::uint32_t>{4, 3});
  CHECK(book.blocked() == 1);
  book.put_back(*book.find({7, 3})); // lost again: its group is released
  CHECK(take_indices(book) == std::vector<std::uint32_t>{3});
}

TEST_CASE("a resumed job that is dropped leaves with those of its tasks that wait") {
  job_book book;
  book.resume(diamond(7), {3, 5}, {0, 2}); // 1 and 4 run
  CHECK(book.drop(7).size() == 2);
  CHECK(book.blocked() == 0);
  CHECK_FALSE(book.close({7, 1}, 5s));
  CHECK_FALSE(book.has_waiting());
}
