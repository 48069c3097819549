#include "model/base/random.hpp"
#include "model/records/record_order.hpp"
#include "model/records/record_outbox.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

task_record ended(job_id job, std::uint32_t index, instant at,
                  record_state state = record_state::finished) {
  task_record r;
  r.task = {job, index};
  r.at.ended = at;
  r.state = state;
  return r;
}

std::vector<task_id> tasks_of(const record_batch& batch) {
  std::vector<task_id> tasks;
  for (const auto& t : batch.tasks)
    tasks.push_back(t.task);
  return tasks;
}

/// A scheduler's records of `n` jobs that are over.
record_outbox outbox_with(const catalog& machines, job_id n) {
  record_book book{record_level::jobs, 0, machines};
  for (job_id id = 0; id < n; ++id) {
    const auto one = slot_job(id, 1);
    book.submit(one);
    book.end({id, 0}, 1s, task_fate::abandoned);
  }
  return record_outbox{std::move(book)};
}

} // namespace

TEST_CASE("records come in the order of ends, those of one instant by number") {
  record_order order;
  record_batch first;
  first.tasks = {ended(5, 1, 3s), ended(5, 0, 3s), ended(1, 0, 2s),
                 ended(9, 0, no_instant, record_state::running)};
  order.add(std::move(first));
  record_batch second;
  second.tasks = {ended(4, 0, 3s), ended(2, 0, 1s), ended(3, 0, 5s)};
  order.add(std::move(second));
  record_batch taken;
  order.take_until(2s, taken);
  CHECK(tasks_of(taken) == std::vector<task_id>{{2, 0}, {1, 0}});
  order.take_until(2s, taken);
  CHECK(taken.tasks.size() == 2);
  record_batch third;
  third.tasks = {ended(4, 1, 3s), ended(0, 0, 4s)};
  order.add(std::move(third));
  record_batch rest;
  order.take_all(rest);
  CHECK(tasks_of(rest) ==
        std::vector<task_id>{{4, 0}, {4, 1}, {5, 0}, {5, 1}, {0, 0}, {3, 0}, {9, 0}});
  order.take_all(rest);
  CHECK(rest.tasks.size() == 7);
}

TEST_CASE("many records are in one order, however they are split into batches") {
  random_stream random{7};
  const auto drawn = [&](std::uint64_t bound) {
    return static_cast<std::uint32_t>(random.below(bound));
  };
  record_order order;
  std::vector<task_record> all;
  record_batch taken;
  for (int round = 0; round < 50; ++round) {
    record_batch batch;
    for (auto n = drawn(300); n > 0; --n) {
      // Many end at one instant, some much later, some have not ended.
      const instant at = drawn(10) == 0  ? instant{1h}
                         : drawn(3) == 0 ? instant{2s}
                                         : instant{std::chrono::milliseconds{drawn(5000)}};
      batch.tasks.push_back(ended(drawn(50), drawn(4), at,
                                  drawn(20) == 0 ? record_state::running : record_state::finished));
      batch.tasks.back().machine = static_cast<machine_id>(all.size());
      all.push_back(batch.tasks.back());
    }
    order.add(std::move(batch));
  }
  order.take_until(1s, taken);
  order.take_until(3s, taken);
  order.take_all(taken);
  std::ranges::stable_sort(all, {}, [](const task_record& r) {
    return std::pair{end_of(r), r.task};
  });
  REQUIRE(taken.tasks.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(taken.tasks[i].machine == all[i].machine);
}

TEST_CASE("an answer is repeated until the recorder has received it") {
  const auto machines = even_catalog(1, 1, 1);
  auto outbox = outbox_with(machines, 3);
  CHECK(outbox.answer({}, {1, 1}, false).jobs.size() == 3);
  CHECK(outbox.answer({}, {1, 2}, false).jobs.size() == 3);     // the first answer was lost
  CHECK(outbox.answer({7, 9}, {1, 3}, false).jobs.size() == 3); // of an earlier incarnation
  CHECK(outbox.answer({1, 2}, {1, 4}, false).jobs.empty());
}

TEST_CASE("an answer that may be lost has a limited size") {
  const auto machines = even_catalog(1, 1, 1);
  const job_id n = record_outbox::most_at_a_time + 1;
  auto outbox = outbox_with(machines, n);
  const auto first = outbox.answer({}, {1, 1}, false);
  CHECK(first.jobs.size() == n - 1);
  CHECK(first.more);
  const auto second = outbox.answer({1, 1}, {1, 2}, false);
  CHECK(second.jobs.size() == 1);
  CHECK_FALSE(second.more);
}

TEST_CASE("what is open is recorded once, at the end") {
  const auto machines = even_catalog(1, 1, 1);
  auto outbox = outbox_with(machines, 0);
  const auto open = slot_job(3, 2);
  outbox.book().submit(open);
  CHECK(outbox.take(false).jobs.empty());
  CHECK(outbox.take(true).jobs.size() == 1);
  CHECK(outbox.take(true).jobs.empty());
}
