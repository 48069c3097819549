#include "actors/sparrow/recovery/loss_book.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("a task may run again as often as the retries say") {
  loss_book book{2, 1};
  CHECK(book.may_retry({1, 0}));
  CHECK(book.may_retry({1, 0}));
  CHECK_FALSE(book.may_retry({1, 0}));
  CHECK(book.may_retry({1, 1}));
  book.over({1, 0});
  CHECK(book.may_retry({1, 0}));
  loss_book endless{0, 1};
  for (int i = 0; i < 10; ++i)
    CHECK(endless.may_retry({1, 0}));
}

TEST_CASE("the jobs of a machine that are over are forgotten from time to time") {
  loss_book book{1, 2};
  const auto is_open = [](job_id id) { return id >= 1000; };
  for (job_id id = 1; id <= 1001; ++id)
    book.note_place(id, 1, is_open);
  CHECK(book.on(1).size() < 20);
  CHECK(book.on(1).back() == 1001);
  CHECK(book.on(0).empty());
  book.clear(1);
  CHECK(book.on(1).empty());
}

TEST_CASE("a job lacks machines until that is taken back or it is over") {
  loss_book book{1, 1};
  for (const job_id id : {1, 2, 3})
    book.note_shortage(id, true);
  book.note_shortage(2, false);
  CHECK(book.short_jobs([](job_id id) { return id != 3; }) == std::vector<job_id>{1});
}
