#include "model/jobs/job_book.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <map>
#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

job two_groups(job_id id) {
  return {id, 2s, duration{0}, {{2, one_slot, {1s}}, {3, resources::of_slots(2), {10s, 20s, 30s}}}};
}

std::vector<task_id> take_all(job_book& book) {
  std::vector<task_id> out;
  while (book.has_waiting())
    out.push_back(book.take_head().task);
  return out;
}

} // namespace

TEST_CASE("tasks come out in the order of their jobs, numbered through the groups") {
  job_book book;
  CHECK_FALSE(book.has_waiting());
  book.submit(two_groups(7));
  book.submit(slot_job(3, 1));
  CHECK(book.waiting() == 6);
  CHECK(take_all(book) == std::vector<task_id>{{7, 0}, {7, 1}, {7, 2}, {7, 3}, {7, 4}, {3, 0}});
  CHECK(book.waiting() == 0);
  CHECK(book.open_jobs() == 2);
}

TEST_CASE("a waiting task carries what its group and its job say") {
  job_book book;
  book.submit(two_groups(7));
  const auto first = book.take_head();
  CHECK(first.demand == one_slot);
  CHECK(first.runtime == 1s);
  CHECK(first.submitted == 2s);
  CHECK(first.attempts == 0);
  CHECK(first.opens_job);
  CHECK(book.take_head().runtime == 1s);
  book.take_head();
  const auto fourth = book.take_head();
  CHECK(fourth.task == task_id{7, 3});
  CHECK(fourth.demand == resources::of_slots(2));
  CHECK(fourth.runtime == 20s);
  CHECK_FALSE(fourth.opens_job);
}

TEST_CASE("the head can be looked at without being taken") {
  job_book book;
  book.submit(slot_job(1, 2));
  CHECK(book.head().task == task_id{1, 0});
  CHECK(book.head().task == task_id{1, 0});
  CHECK(book.waiting() == 2);
  CHECK(book.take_head().task == task_id{1, 0});
  CHECK(book.head().task == task_id{1, 1});
}

TEST_CASE("tasks put back come first, the last one put back at the head") {
  job_book book;
  book.submit(slot_job(1, 4));
  auto a = book.take_head();
  const auto b = book.take_head();
  CHECK(book.head().task == task_id{1, 2});
  ++a.attempts;
  book.put_back(b);
  book.put_back(a);
  CHECK(book.waiting() == 4);
  CHECK(book.head().attempts == 1);
  CHECK(take_all(book) == std::vector<task_id>{{1, 0}, {1, 1}, {1, 2}, {1, 3}});
}

TEST_CASE("a task of an unfinished job can be found as it was submitted") {
  job_book book;
  book.submit(two_groups(7));
  take_all(book);
  const auto found = book.find({7, 4});
  REQUIRE(found);
  CHECK(found->task == task_id{7, 4});
  CHECK(found->runtime == 30s);
  CHECK(found->demand == resources::of_slots(2));
  CHECK(found->submitted == 2s);
  CHECK(book.find({7, 1})->demand == one_slot);
  CHECK_FALSE(book.find({7, 5}));
  CHECK_FALSE(book.find({8, 0}));
}

TEST_CASE("a job is over with its last task, and tells how long it took") {
  job_book book;
  book.submit(slot_job(1, 3, 2s));
  take_all(book);
  CHECK_FALSE(book.close({1, 2}, 9s)); // the last one to end, but the first one to be heard of
  CHECK_FALSE(book.close({1, 0}, 5s));
  CHECK(book.find_job(1) != nullptr);
  const auto end = book.close({1, 1}, 6s);
  REQUIRE(end);
  CHECK(end->response == 7s);
  CHECK(end->fate == task_fate::finished);
  CHECK(book.find_job(1) == nullptr);
  CHECK(book.open_jobs() == 0);
  CHECK_FALSE(book.close({1, 1}, 6s));
  CHECK_FALSE(book.find({1, 0}));
}

TEST_CASE("a job has finished if all of its tasks have") {
  const auto fate = [](std::vector<task_fate> tasks) {
    job_book book;
    book.submit(slot_job(1, static_cast<std::uint32_t>(tasks.size())));
    std::optional<job_end> end;
    for (std::uint32_t i = 0; i < tasks.size(); ++i)
      end = book.close({1, i}, 1s, tasks[i]);
    REQUIRE(end);
    return end->fate;
  };
  using enum task_fate;
  CHECK(fate({finished, finished}) == finished);
  CHECK(fate({failed, finished}) == failed);
  CHECK(fate({finished, lost, failed}) == lost);
  CHECK(fate({abandoned, lost, finished}) == abandoned);
  job_book book;
  book.resume(slot_job(1, 2), {1}, {0}, abandoned);
  CHECK(book.close({1, 1}, 1s)->fate == abandoned);
}

TEST_CASE("all that waits can be told, with the instant since when it does") {
  job_book book;
  std::map<std::pair<job_id, instant>, std::uint32_t> told;
  const auto look = [&] {
    told.clear();
    book.visit_waiting([&](const job& of, instant since, std::uint32_t tasks) {
      told[{of.id, since}] += tasks;
    });
    return told;
  };
  book.submit(slot_job(1, 3, 2s));
  auto gang = slot_job(2, 4, 3s);
  gang.gang = true;
  book.submit(std::move(gang));
  using expected = decltype(told);
  CHECK(look() == expected{{{1, 2s}, 3}, {{2, 3s}, 4}});
  auto first = book.take_head();
  CHECK(look() == expected{{{1, 2s}, 2}, {{2, 3s}, 4}});
  book.head();
  CHECK(look() == expected{{{1, 2s}, 2}, {{2, 3s}, 4}});
  first.submitted = 5s; // it was lost then
  book.put_at_back(first);
  book.put_back(book.take_head());
  CHECK(look() == expected{{{1, 2s}, 2}, {{1, 5s}, 1}, {{2, 3s}, 4}});
  const auto open = [&] {
    std::vector<instant> submissions;
    book.visit_open([&](std::uint32_t, instant submitted) { submissions.push_back(submitted); });
    std::ranges::sort(submissions);
    return submissions;
  };
  CHECK(open() == std::vector<instant>{2s, 3s});
  for (std::uint32_t t = 0; t < 3; ++t)
    book.close({1, t}, 9s, task_fate::finished);
  CHECK(open() == std::vector<instant>{3s});
}

TEST_CASE("a job without tasks and a job that is known are refused") {
  job_book book;
  book.submit(slot_job(1, 1));
  CHECK_THROWS_WITH_AS(book.submit(slot_job(2, 0)), "job 2 has no tasks", std::invalid_argument);
  CHECK_THROWS_WITH_AS(book.submit(slot_job(1, 1)), "job 1 was submitted twice",
                       std::invalid_argument);
  CHECK(book.waiting() == 1);
}

TEST_CASE("a job book behaves like a plain list over a long random sequence") {
  job_book book;
  std::vector<waiting_task> queue; // the head first
  std::vector<waiting_task> taken;
  std::map<job_id, std::pair<std::uint32_t, instant>> open; // unfinished tasks, last end
  random_stream random{21};
  job_id next = 0;
  for (int step = 0; step < 20'000; ++step) {
    const auto action = random.below(100);
    if (action < 10) {
      const auto submitted = duration{step};
      job j{next++, submitted, duration{0}, {}};
      std::uint32_t index = 0;
      for (auto g = 1 + random.below(3); g > 0; --g) {
        task_group group{static_cast<std::uint32_t>(1 + random.below(6)),
                         resources::of_slots(static_cast<std::int32_t>(1 + random.below(4))),
                         {}};
        for (std::uint32_t i = 0; i < group.count; ++i) {
          group.durations.push_back(duration{static_cast<std::int64_t>(random.below(1000))});
          queue.push_back(
            {{j.id, index}, group.demand, group.durations[i], submitted, 0, index == 0});
          ++index;
        }
        j.groups.push_back(std::move(group));
      }
      open[j.id] = {index, instant{0}};
      book.submit(std::move(j));
    } else if (action < 60 && !queue.empty()) {
      const auto task = book.take_head();
      REQUIRE(task.task == queue.front().task);
      REQUIRE(task.demand == queue.front().demand);
      REQUIRE(task.runtime == queue.front().runtime);
      REQUIRE(task.attempts == queue.front().attempts);
      REQUIRE(task.opens_job == queue.front().opens_job);
      taken.push_back(task);
      queue.erase(queue.begin());
    } else if (!taken.empty()) {
      const auto i = random.below(taken.size());
      auto task = taken[i];
      taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(i));
      if (action < 70) {
        ++task.attempts;
        book.put_back(task);
        queue.insert(queue.begin(), task);
      } else {
        const duration at{step + static_cast<std::int64_t>(random.below(500))};
        auto& [unfinished, last_end] = open[task.task.job];
        last_end = std::max(last_end, at);
        const auto response = book.close(task.task, at);
        REQUIRE(response.has_value() == (--unfinished == 0));
        if (response) {
          REQUIRE(response->response == last_end - task.submitted);
          open.erase(task.task.job);
        }
      }
    }
    REQUIRE(book.waiting() == queue.size());
    REQUIRE(book.has_waiting() == !queue.empty());
    REQUIRE(book.open_jobs() == open.size());
    if (!queue.empty())
      REQUIRE(book.head().task == queue.front().task);
  }
  CHECK(next > 1000);
}
