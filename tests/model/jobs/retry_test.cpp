#include "model/jobs/retry_queue.hpp"
#include "model/jobs/retry_rule.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

std::vector<task_id> ids_of(const std::vector<waiting_task>& tasks) {
  std::vector<task_id> out;
  for (const auto& t : tasks)
    out.push_back(t.task);
  return out;
}

waiting_task waiting(job_id job, std::uint32_t index) {
  waiting_task t;
  t.task = {job, index};
  return t;
}

struct retry_fixture {
  catalog machines = even_catalog(4, 2, 1);
  view seen{machines, 0s};
  retry_queue queue;

  void refresh(partition_id p, std::uint64_t version) {
    seen.apply({p, 1s, {1, 1}, {}, {}, version}, 1);
  }
};

using tried_tasks = std::vector<task_id>;

} // namespace

TEST_CASE("without a delay a refused task may be tried at once") {
  random_stream random{1};
  const auto untouched = random;
  const retry_rule rule{.factor = 3, .jitter = 1};
  CHECK(rule.delay_after(5, random) == 0s);
  CHECK(random.unit() == random_stream{untouched}.unit()); // nothing was drawn
}

TEST_CASE("delays grow by the factor up to their limit") {
  random_stream random{1};
  const retry_rule rule{.delay = 100ms, .factor = 2, .max_delay = 500ms};
  CHECK(rule.delay_after(1, random) == 100ms);
  CHECK(rule.delay_after(2, random) == 200ms);
  CHECK(rule.delay_after(3, random) == 400ms);
  CHECK(rule.delay_after(4, random) == 500ms);
  const retry_rule endless{.delay = 1s, .factor = 1000};
  CHECK(endless.delay_after(4'000'000'000, random) <= 1'000'000'000s);
}

TEST_CASE("jitter makes a delay longer or shorter by at most its share") {
  random_stream random{1};
  const retry_rule rule{.delay = 1s, .jitter = 0.25};
  duration least = 1h;
  duration most = 0s;
  for (int i = 0; i < 1000; ++i) {
    least = std::min(least, rule.delay_after(1, random));
    most = std::max(most, rule.delay_after(1, random));
  }
  CHECK(least >= 750ms);
  CHECK(least < 760ms);
  CHECK(most <= 1250ms);
  CHECK(most > 1240ms);
}

TEST_CASE("jitter does not make a delay longer than the limit") {
  random_stream random{1};
  const retry_rule rule{.delay = 1s, .factor = 2, .max_delay = 3s, .jitter = 0.5};
  duration least = 1h;
  duration most = 0s;
  for (int i = 0; i < 1000; ++i) {
    least = std::min(least, rule.delay_after(5, random));
    most = std::max(most, rule.delay_after(5, random));
  }
  CHECK(least >= 1500ms);
  CHECK(least < 1520ms);
  CHECK(most == 3s);
}

TEST_CASE_FIXTURE(retry_fixture, "tasks come out when their delays have ended, in that order") {
  queue.add({waiting(1, 0), waiting(1, 1)}, {}, 3s);
  queue.add({waiting(2, 0)}, {}, 2s);
  queue.add({waiting(3, 0)}, {}, 3s);
  CHECK(queue.next_due() == 2s);
  CHECK(queue.take(1999ms, seen).empty());
  CHECK(ids_of(queue.take(2s, seen)) == tried_tasks{{2, 0}});
  CHECK(queue.next_due() == 3s);
  CHECK(ids_of(queue.take(4s, seen)) == tried_tasks{{1, 0}, {1, 1}, {3, 0}});
  CHECK(queue.empty());
  CHECK_FALSE(queue.next_due());
}

TEST_CASE_FIXTURE(retry_fixture, "tasks wait until the view has every version they ask for") {
  queue.add({waiting(1, 0)}, {{0, 5}, {1, 2}}, 1s);
  CHECK(queue.take(1s, seen).empty());
  CHECK_FALSE(queue.empty());
  CHECK_FALSE(queue.next_due()); // there is nothing to wake up for
  refresh(0, 5);
  CHECK(queue.take(2s, seen).empty());
  refresh(1, 1);
  CHECK(queue.take(2s, seen).empty());
  refresh(1, 3);
  CHECK(ids_of(queue.take(2s, seen)) == tried_tasks{{1, 0}});
  CHECK(queue.empty());
}

TEST_CASE_FIXTURE(retry_fixture, "a new enough view does not shorten the delay") {
  refresh(0, 9);
  queue.add({waiting(1, 0)}, {{0, 5}}, 1s);
  CHECK(queue.take(500ms, seen).empty());
  CHECK(queue.take(1s, seen).size() == 1);
}

TEST_CASE_FIXTURE(retry_fixture, "all tasks of a job can be taken out") {
  queue.add({waiting(1, 0), waiting(2, 0), waiting(1, 1)}, {}, 3s);
  queue.add({waiting(1, 2)}, {{0, 5}}, 0s);
  CHECK(queue.take(0s, seen).empty());
  CHECK(queue.drop(1).size() == 3);
  CHECK(ids_of(queue.take(3s, seen)) == tried_tasks{{2, 0}});
  CHECK(queue.empty());
}
