#include "model/jobs/job_book.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

std::vector<task_id> take_queued(job_book& book) {
  std::vector<task_id> out;
  while (book.has_waiting())
    out.push_back(book.take_head().task);
  return out;
}

job gang(job_id id, std::uint32_t tasks) {
  auto j = slot_job(id, tasks);
  j.gang = true;
  return j;
}

using queued = std::vector<task_id>;

} // namespace

TEST_CASE("tasks put at the back wait behind everything that waits then") {
  job_book book;
  book.submit(slot_job(1, 3));
  book.submit(slot_job(2, 1));
  const auto first = book.take_head();
  const auto second = book.take_head();
  book.put_at_back(first);
  book.put_at_back(second);
  book.submit(slot_job(3, 1));
  book.put_back(book.take_head());
  CHECK(book.waiting() == 5);
  CHECK(take_queued(book) == queued{{1, 2}, {2, 0}, {1, 0}, {1, 1}, {3, 0}});
  CHECK(book.waiting() == 0);
}

TEST_CASE("a gang waits as one, wherever it is put") {
  job_book book;
  book.submit(gang(1, 3));
  book.submit(slot_job(2, 1));
  CHECK(book.waiting() == 4);
  auto whole = book.take_head();
  CHECK(whole.whole);
  CHECK(whole.count() == 3);
  CHECK(whole.opens_job);
  CHECK(book.waiting() == 1);
  whole.attempts = 2;
  const auto members = book.members(whole);
  REQUIRE(members.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    CHECK(members[i].task == task_id{1, i});
    CHECK(members[i].attempts == 2);
    CHECK_FALSE(members[i].whole);
    CHECK(members[i].opens_job == (i == 0));
  }
  book.put_at_back(whole);
  CHECK(book.waiting() == 4);
  CHECK(take_queued(book) == queued{{2, 0}, {1, 0}});
  book.put_back(whole);
  CHECK(book.waiting() == 3);
  CHECK(book.head().whole);
}

TEST_CASE("a task of a gang that has started waits on its own") {
  job_book book;
  book.submit(gang(1, 3));
  book.take_head();
  const auto lost = book.find({1, 0});
  REQUIRE(lost);
  CHECK_FALSE(lost->whole);
  CHECK(lost->count() == 1);
}

TEST_CASE("a job can be taken out of the queue, and the others keep their order") {
  job_book book;
  book.submit(slot_job(1, 3));
  book.submit(slot_job(2, 2));
  book.submit(gang(3, 2));
  book.submit(slot_job(4, 1));
  const auto a = book.take_head();
  const auto b = book.take_head();
  const auto c = book.take_head();
  const auto d = book.take_head(); // of job 2
  book.put_at_back(a);
  book.put_at_back(d);
  book.put_back(b);
  book.put_at_back(c);
  SUBCASE("one that waits in every place") {
    CHECK(book.drop(1).size() == 3);
    CHECK(book.waiting() == 5);
    CHECK(take_queued(book) == queued{{2, 1}, {3, 0}, {4, 0}, {2, 0}});
  }
  SUBCASE("one that has been begun") {
    CHECK(book.drop(2).size() == 2);
    CHECK(book.waiting() == 6);
    CHECK(take_queued(book) == queued{{1, 1}, {3, 0}, {4, 0}, {1, 0}, {1, 2}});
  }
  SUBCASE("a gang") {
    CHECK(book.drop(3).size() == 1);
    CHECK(book.waiting() == 6);
    CHECK(take_queued(book) == queued{{1, 1}, {2, 1}, {4, 0}, {1, 0}, {2, 0}, {1, 2}});
  }
  SUBCASE("one that is not there") {
    CHECK(book.drop(9).empty());
    CHECK(take_queued(book) == queued{{1, 1}, {2, 1}, {3, 0}, {4, 0}, {1, 0}, {2, 0}, {1, 2}});
  }
  SUBCASE("one whose next task has been looked at") {
    book.take_head();
    CHECK(book.head().task == task_id{2, 1});
    CHECK(book.drop(2).size() == 2);
    CHECK(take_queued(book) == queued{{3, 0}, {4, 0}, {1, 0}, {1, 2}});
  }
}

TEST_CASE("empty attempts count until a task of the job is placed") {
  job_book book;
  book.submit(slot_job(1, 2));
  CHECK(book.note_empty_attempt(1) == 1);
  CHECK(book.note_empty_attempt(1) == 2);
  book.note_placed(1);
  CHECK(book.note_empty_attempt(1) == 0);
  CHECK(book.note_empty_attempt(7) == 0);
  CHECK_FALSE(book.given_up(1));
  book.give_up(1);
  CHECK(book.given_up(1));
}
