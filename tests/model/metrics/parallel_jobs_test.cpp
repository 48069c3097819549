#include "model/metrics/parallel_jobs.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

job_record rigid_job(std::uint32_t tasks, instant submitted, instant placed, instant ended) {
  job_record j;
  j.tasks = tasks;
  j.gang = tasks > 1;
  j.demand.amount[static_cast<std::size_t>(resource::slots)] = tasks;
  j.state = record_state::finished;
  j.at.submitted = submitted;
  j.at.first_placed = placed;
  j.at.ended = ended;
  return j;
}

} // namespace

TEST_CASE("waits, responses and bounded slowdowns are those of the definition") {
  parallel_jobs sums;
  sums.add(rigid_job(1, 0s, 30s, 90s));   // (30 + 60) / 60
  sums.add(rigid_job(4, 10s, 20s, 22s));  // (10 + 2) / 10
  sums.add(rigid_job(64, 20s, 20s, 21s)); // 1 / 10: at least 1
  CHECK(sums.all().wait.mean() == doctest::Approx(40.0 / 3));
  CHECK(sums.all().response.mean() == doctest::Approx((90 + 12 + 1) / 3.0));
  CHECK(sums.all().slowdown.mean() == doctest::Approx((1.5 + 1.2 + 1) / 3));
}

TEST_CASE("jobs are sorted by width and by estimate") {
  parallel_jobs sums;
  for (const std::uint32_t width : {1, 2, 4, 5, 16, 17, 64, 65, 256, 257, 100'000}) {
    auto job = rigid_job(width, 0s, 0s, 60s);
    job.estimate = std::chrono::minutes{width};
    sums.add(job);
  }
  sums.add(rigid_job(1, 0s, 0s, 60s)); // without an estimate
  const auto jobs = [&](const auto& classes, auto of) {
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < classes.size(); ++i)
      counts.push_back((sums.*of)(i).wait.count());
    return counts;
  };
  CHECK(jobs(width_classes, &parallel_jobs::of_width) ==
        std::vector<std::uint64_t>{2, 2, 2, 2, 2, 2});
  // 1, 2, 4, 5 | 16, 17 | 64, 65, 256, 257 min | none to 24 h | longer
  CHECK(jobs(estimate_classes, &parallel_jobs::of_estimate) ==
        std::vector<std::uint64_t>{1, 4, 2, 4, 0, 1});
}

TEST_CASE("open and abandoned jobs, and those of the warm-up, are left out of the waits") {
  parallel_jobs sums{instant{5s}};
  auto open = rigid_job(1, 5s, 6s, no_instant);
  open.state = record_state::running;
  auto abandoned = rigid_job(1, 6s, no_instant, 9s);
  abandoned.state = record_state::abandoned;
  sums.add(open);
  sums.add(abandoned);
  sums.add(rigid_job(1, 4s, 4s, 9s));
  CHECK(sums.all().wait.empty());
  CHECK(sums.open() == 1);
  auto killed = rigid_job(100, 7s, 8s, 20s);
  killed.state = record_state::failed;
  sums.add(killed);
  CHECK(sums.of_width(4).wait.count() == 1);
}

TEST_CASE("capacity is lost while processors are idle and a job waits that would fit") {
  // Four processors. A job of 3 runs until 100. One of 2 waits from 20 to 100, and one of 1, which
  // would fit all the time, from 50 to 100; both run until 200.
  parallel_jobs sums;
  sums.add(rigid_job(3, 0s, 0s, 100s));
  sums.add(rigid_job(2, 20s, 100s, 200s));
  sums.add(rigid_job(1, 50s, 100s, 200s));
  CHECK(sums.processors() == resource::slots);
  const auto use = sums.use(4).value();
  CHECK(use.seconds == 200);
  CHECK(use.busy == doctest::Approx((300 + 300) / 800.0));
  CHECK(use.lost == doctest::Approx(50 / 800.0));
  CHECK(use.idle_while_waiting == doctest::Approx(80 / 800.0));
  // With three processors nothing is idle while a job waits.
  CHECK(sums.use(3)->lost == 0);
}

TEST_CASE("jobs that never end wait, or hold their processors, beyond the last end of the others") {
  parallel_jobs sums;
  sums.add(rigid_job(1, 0s, 0s, 100s));
  auto runs = rigid_job(2, 10s, 20s, no_instant);
  runs.state = record_state::running;
  auto waits = rigid_job(1, 40s, no_instant, no_instant);
  waits.state = record_state::queued;
  sums.add(runs);
  sums.add(waits);
  const auto use = sums.use(4).value();
  CHECK(use.seconds == 100);
  CHECK(use.busy == doctest::Approx((100 + 160) / 400.0));
  CHECK(use.lost == doctest::Approx((10 * 3 + 60 * 1) / 400.0));
}

TEST_CASE("the use of processors is not known where tasks of a job start one by one") {
  parallel_jobs sums;
  auto job = rigid_job(2, 0s, 0s, 100s);
  job.gang = false;
  sums.add(job);
  CHECK_FALSE(sums.use(4).has_value());
}
