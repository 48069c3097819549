#include "model/jobs/job_book.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

job ranked_job(job_id id, std::uint32_t tasks, std::int32_t priority, instant submitted = 0s,
               std::uint32_t tenant = 0) {
  auto j = slot_job(id, tasks, submitted);
  j.priority = priority;
  j.tenant = tenant;
  return j;
}

std::vector<job_id> take_jobs(job_book& book) {
  std::vector<job_id> out;
  while (book.has_next())
    out.push_back(book.take_head().task.job);
  return out;
}

using ids = std::vector<job_id>;

} // namespace

TEST_CASE("higher priorities go first, equal ones first in, first out") {
  job_book book;
  book.submit(ranked_job(1, 1, 0));
  book.submit(ranked_job(2, 1, 5));
  book.submit(ranked_job(3, 1, -2));
  book.submit(ranked_job(4, 1, 5));
  book.submit(ranked_job(5, 1, 0));
  CHECK(take_jobs(book) == ids{2, 4, 1, 5, 3});
}

TEST_CASE("a higher priority overtakes a job of which some tasks have been taken") {
  job_book book;
  book.submit(ranked_job(1, 3, 0));
  CHECK(book.take_head().task == task_id{1, 0});
  book.submit(ranked_job(2, 1, 1));
  CHECK(book.head().task == task_id{2, 0});
  CHECK(take_jobs(book) == ids{2, 1, 1});
}

TEST_CASE("a refused task goes back to the head of its own priority") {
  job_book book;
  book.submit(ranked_job(1, 2, 0));
  const auto low = book.take_head();
  book.submit(ranked_job(2, 2, 1));
  const auto high = book.take_head();
  book.put_back(low);
  CHECK(book.head().task == task_id{2, 1});
  book.put_back(high);
  CHECK(book.head().task == task_id{2, 0});
  CHECK(take_jobs(book) == ids{2, 2, 1, 1});
}

TEST_CASE("the tenants of jobs do not matter where nobody asks") {
  job_book book;
  book.submit(ranked_job(1, 1, 0, 0s, 3));
  book.submit(ranked_job(2, 1, 0, 0s, 1));
  book.submit(ranked_job(3, 1, 0, 0s, 3));
  CHECK(take_jobs(book) == ids{1, 2, 3});
}

TEST_CASE("with ageing, a step of priority is worth so much waiting and no more") {
  job_book book{10s};
  book.submit(ranked_job(1, 1, 0, 0s));
  book.submit(ranked_job(2, 1, 1, 9s));
  book.submit(ranked_job(3, 1, 1, 10s));
  book.submit(ranked_job(4, 1, 1, 11s));
  book.submit(ranked_job(5, 1, 3, 29s));
  book.submit(ranked_job(6, 1, 3, 31s));
  CHECK(take_jobs(book) == ids{5, 2, 3, 1, 6, 4});
}

TEST_CASE("a book with priorities behaves like a sorted list over a long random sequence") {
  for (const duration aging : {duration{0}, duration{2s}}) {
    CAPTURE(aging.count());
    job_book book{aging};
    std::vector<waiting_task> queue; // in no order
    std::vector<waiting_task> taken;
    random_stream random{33};
    job_id next = 0;
    // Lanes are first in, first out: the order of submission, and of putting back, decides.
    std::map<task_id, std::int64_t> rank; // the lower one first, within a priority
    std::int64_t at_head = 0;
    const auto before = [&](const waiting_task& a, const waiting_task& b) {
      return rank.at(a.task) < rank.at(b.task);
    };
    // The head of each priority, and of these the one whose turn it is.
    const auto expected = [&] {
      std::map<std::int32_t, const waiting_task*, std::greater<>> heads;
      for (const auto& t : queue)
        if (auto& head = heads[t.priority()]; head == nullptr || before(t, *head))
          head = &t;
      const waiting_task* best = nullptr;
      for (const auto& [priority, head] : heads) {
        const auto key = [&](const waiting_task& t) {
          return static_cast<double>(t.priority()) * to_seconds(aging) - to_seconds(t.submitted);
        };
        if (best == nullptr || (aging > duration{0} && key(*head) > key(*best) + 1e-12))
          best = head;
      }
      return best->task;
    };
    for (int step = 0; step < 5'000; ++step) {
      const auto action = random.below(100);
      if (action < 20) {
        // Odd times, so that no two keys are equal.
        auto j = ranked_job(next++, static_cast<std::uint32_t>(1 + random.below(4)),
                            static_cast<std::int32_t>(random.below(4)) - 1,
                            instant{std::chrono::milliseconds{10 * step + 7}});
        for (std::uint32_t i = 0; i < j.task_count(); ++i)
          rank[{j.id, i}] = static_cast<std::int64_t>(rank.size()) + 1'000'000;
        const auto id = j.id;
        const auto tasks = j.task_count();
        book.submit(std::move(j));
        for (std::uint32_t i = 0; i < tasks; ++i)
          queue.push_back(*book.find({id, i}));
      } else if (action < 65 && !queue.empty()) {
        REQUIRE(book.has_next());
        const auto task = book.take_head();
        REQUIRE(task.task == expected());
        taken.push_back(task);
        std::erase_if(queue, [&](const auto& t) { return t.task == task.task; });
      } else if (action < 80 && !taken.empty()) {
        const auto i = random.below(taken.size());
        book.put_back(taken[i]);
        rank[taken[i].task] = --at_head;
        queue.push_back(taken[i]);
        taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(i));
      }
      REQUIRE(book.waiting() == queue.size());
      REQUIRE(book.has_next() == !queue.empty());
    }
    CHECK(next > 500);
  }
}

TEST_CASE("the tenant with the lowest weighted share is served first, within a priority") {
  tenant_shares shares{{{1, 0, 1}, {2, 0, 1}}, {{0, 0, 0, 100}}, 1};
  job_book book{duration{0}, &shares};
  book.submit(ranked_job(1, 3, 0, 0s, 0));
  book.submit(ranked_job(2, 6, 0, 0s, 1));
  book.submit(ranked_job(3, 1, 1, 0s, 0));
  ids order;
  while (book.has_next()) {
    const auto task = book.take_head();
    shares.charge(0, task.tenant(), task.demand);
    order.push_back(task.task.job);
  }
  CHECK(order == ids{3, 2, 2, 1, 2, 2, 1, 2, 2, 1});
}

TEST_CASE("tenants at their maximum wait while others go on") {
  tenant_shares shares{{{1, 0, 0.02}, {1, 0, 1}}, {{0, 0, 0, 100}}, 1};
  job_book book{duration{0}, &shares};
  book.submit(ranked_job(1, 4, 7, 0s, 0));
  book.submit(ranked_job(2, 2, 0, 0s, 1));
  ids order;
  const auto take_all = [&] {
    while (book.has_next()) {
      const auto task = book.take_head();
      shares.charge(0, task.tenant(), task.demand);
      order.push_back(task.task.job);
    }
  };
  take_all();
  CHECK(order == ids{1, 1, 2, 2});
  CHECK(book.has_waiting());
  CHECK_FALSE(book.has_next());
  shares.refund(0, 0, one_slot);
  take_all();
  CHECK(order == ids{1, 1, 2, 2, 1});
  CHECK(book.waiting() == 1);
}

TEST_CASE("priorities that nobody uses any more cost nothing") {
  const auto run = [](job_book& book) {
    ids order;
    for (std::int32_t p = 0; p < 1000; ++p) {
      book.submit(ranked_job(2 * p + 1, 1, p));
      book.submit(ranked_job(2 * p + 2, 1, -p));
      const auto task = book.take_head();
      if (p % 7 == 0)
        book.put_back(task);
      order.push_back(task.task.job);
      while (book.has_next())
        order.push_back(book.take_head().task.job);
      CHECK(book.lanes() <= 5);
    }
    return order;
  };
  job_book strict;
  job_book aged{10s};
  CHECK(run(strict) == run(aged));
  CHECK(strict.waiting() == 0);
}
