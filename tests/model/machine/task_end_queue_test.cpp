#include "model/base/random.hpp"
#include "model/machine/task_end_queue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

task_end_queue::entry end_at(instant at, std::uint32_t index = 0) {
  return {{{1, index}, 0, task_outcome::finished, at}, 0};
}

std::vector<std::uint32_t> take(task_end_queue& queue, instant now) {
  std::vector<task_end_queue::entry> out;
  queue.take_due(now, out);
  std::vector<std::uint32_t> indices;
  for (const auto& e : out)
    indices.push_back(e.end.task.index);
  return indices;
}

} // namespace

TEST_CASE("an end is due at the first tick that is not before it") {
  task_end_queue queue{10ms};
  CHECK(queue.empty());
  CHECK(queue.next() == instant::max());
  queue.add(end_at(11ms));
  CHECK(queue.next() == 20ms);
  queue.add(end_at(10ms));
  CHECK(queue.next() == 10ms);
  queue.add(end_at(0ms));
  CHECK(queue.next() == 0ms);
  CHECK(queue.size() == 3);
}

TEST_CASE("ends come out when they are due, and not before") {
  task_end_queue queue{10ms};
  queue.add(end_at(25ms, 1));
  queue.add(end_at(3ms, 2));
  queue.add(end_at(30ms, 3));
  CHECK(take(queue, 9ms).empty());
  CHECK(take(queue, 10ms) == std::vector<std::uint32_t>{2});
  CHECK(take(queue, 29ms).empty());
  CHECK(take(queue, 30ms) == std::vector<std::uint32_t>{1, 3});
  CHECK(queue.empty());
  CHECK(queue.size() == 0);
}

TEST_CASE("what is taken is added to what is there, with its owner and its exact time") {
  task_end_queue queue{10ms};
  auto e = end_at(12ms, 5);
  e.launcher = 3;
  queue.add(e);
  std::vector<task_end_queue::entry> out{end_at(1ms, 4)};
  queue.take_due(1s, out);
  REQUIRE(out.size() == 2);
  CHECK(out[0].end.task.index == 4);
  CHECK(out[1].end.at == 12ms);
  CHECK(out[1].launcher == 3);
}

TEST_CASE("within a tick ends stay in the order of adding, over many ticks they are sorted") {
  constexpr duration tick = 1ms;
  task_end_queue queue{tick};
  random_stream random{4};
  std::vector<std::pair<std::int64_t, std::uint32_t>> expected;
  for (std::uint32_t i = 0; i < 5'000; ++i) {
    const duration at{static_cast<std::int64_t>(random.below(200'000'000))};
    queue.add(end_at(at, i));
    expected.emplace_back((at.count() + tick.count() - 1) / tick.count(), i);
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::uint32_t> indices;
  for (const auto& [due, index] : expected)
    indices.push_back(index);
  CHECK(take(queue, 1s) == indices);
}

TEST_CASE("a queue that is added to and taken from in turn agrees with a sorted list") {
  constexpr duration tick = 3ms; // divides none of the times below
  task_end_queue queue{tick};
  random_stream random{5};
  std::vector<std::pair<std::int64_t, std::uint32_t>> pending; // tick due, index
  std::uint32_t next = 0;
  for (instant now{0}; now < 2s; now += 7ms) {
    for (auto n = random.below(20); n > 0; --n) {
      const auto at = now + duration{static_cast<std::int64_t>(random.below(50'000'000))};
      queue.add(end_at(at, next));
      pending.emplace_back((at.count() + tick.count() - 1) / tick.count(), next++);
    }
    std::stable_sort(pending.begin(), pending.end());
    std::vector<std::uint32_t> due;
    while (!pending.empty() && pending.front().first * tick <= now) {
      due.push_back(pending.front().second);
      pending.erase(pending.begin());
    }
    REQUIRE(take(queue, now) == due);
    REQUIRE(queue.size() == pending.size());
    REQUIRE(queue.next() == (pending.empty() ? instant::max() : pending.front().first * tick));
  }
  CHECK(next > 1000);
}

TEST_CASE("a tick of nothing is refused") {
  CHECK_THROWS_AS(task_end_queue{0ms}, std::invalid_argument);
  CHECK_THROWS_AS(task_end_queue{-1ms}, std::invalid_argument);
}

TEST_CASE("an end comes back as it was added") {
  task_end_queue queue{10ms};
  const task_end_queue::entry added{
    {{1ull << 60, 4'000'000'000}, 7, task_outcome::preempted, 12'345'678ns, 9},
    task_end_queue::launchers - 1,
    true,
    1ull << 50};
  queue.add(added);
  queue.add(end_at(13ms, 3));
  std::vector<task_end_queue::entry> out;
  queue.take_due(1s, out);
  REQUIRE(out.size() == 2);
  CHECK(out[0].end.task == added.end.task);
  CHECK(out[0].end.machine == 7);
  CHECK(out[0].end.outcome == task_outcome::preempted);
  CHECK(out[0].end.at == added.end.at);
  CHECK(out[0].end.grant == 9);
  CHECK(out[0].launcher == added.launcher);
  CHECK(out[0].by_scheduler);
  CHECK(out[0].run == added.run);
  CHECK_FALSE(out[1].by_scheduler);
  auto other = added;
  other.launcher = task_end_queue::launchers;
  CHECK_THROWS_AS(queue.add(other), std::out_of_range);
}
