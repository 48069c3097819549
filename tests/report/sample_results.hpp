#pragma once

#include "model/metrics/parallel_jobs.hpp"
#include "model/metrics/results.hpp"

namespace troupe {

/// Returns a run of two phases and two scheduler groups whose every figure is easy to work out by
/// hand.
inline run_results sample_results() {
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  run_results r;
  r.name = "sample";
  r.architecture = "parsync";
  r.policy = "quality-first+latency-first";
  r.clock = clock_kind::virtual_time;
  r.seed = 7;
  r.simulated = seconds{2};
  r.groups = {{"a", "quality-first", 2}, {"b", "latency-first", 1}};
  r.phases = {{seconds{0}, seconds{1}}, {seconds{1}, seconds{2}}};
  r.messages = 1'234'567;
  r.utilization_max = 0.75;
  r.machines = 1'000;
  r.checks = {{"tasks balance", true, "1,000 submitted"}, {"no machine over capacity", false, ""}};
  r.host = {0.5, 0.25, 1 << 20, "0.1.0"};

  interval_record first{seconds{0}, seconds{1}, 0, {}, 0.5};
  first.sample.tasks = {.submitted = 10, .placed = 8, .finished = 4, .queued = 2, .running = 4};
  first.sample.jobs_submitted = 3;
  first.sample.jobs_finished = 1;
  first.sample.conflicts = 2;
  first.sample.conflicts_by_cause = {2, 0, 0, 0};
  first.sample.commits = 5;
  first.sample.busy = seconds{1};
  first.sample.delay.add(0.5, 8);
  first.sample.job_response.add(2);
  first.sample.quality.add(1);
  first.sample.quality.add(3);
  first.sample.placement_age.add(0.25);
  first.sample.age = {0.5, 1, 0.25, 0.75};
  first.sample.oldest_partition = milliseconds{900};
  first.sample.snapshots = 20;

  interval_record second{seconds{0}, seconds{1}, 1, {}, 0.5};
  second.sample.tasks.submitted = 1;
  second.sample.tasks.queued = 1;

  interval_record third{seconds{1}, seconds{2}, 0, {}, 0.75};
  third.sample.tasks = {.submitted = 4,
                        .placed = 6,
                        .finished = 3,
                        .failed = 2,
                        .lost = 1,
                        .in_commit = 1,
                        .running = 4};
  third.sample.conflicts = 5;
  third.sample.conflicts_by_cause = {1, 4, 0, 0};
  third.sample.retransmits = 1;
  third.sample.busy = milliseconds{200};
  third.sample.delay.add(2, 6);
  third.sample.quality.add(2);
  third.sample.age = {0.25, 1, 0.125, 0.5};

  interval_record fourth{seconds{1}, seconds{2}, 1, {}, 0.75};
  fourth.sample.tasks = {.submitted = 0, .placed = 0, .abandoned = 1};

  constexpr auto slots = static_cast<std::size_t>(resource::slots);
  first.resources[slots] = second.resources[slots] = {2000, 1000, 0};
  third.resources[slots] = fourth.resources[slots] = {2000, 1500, 100};
  r.series = {first, second, third, fourth};
  return r;
}

/// The same, in which two rigid jobs were measured: one of two slots from 0 to 1 s, and one of a
/// slot, with an estimate, that waited from 0 to 1 s and ended at 2 s.
inline run_results sample_of_parallel_jobs() {
  using std::chrono::seconds;
  auto r = sample_results();
  const auto jobs = std::make_shared<parallel_jobs>();
  for (const std::uint32_t tasks : {2, 1}) {
    job_record j;
    j.tasks = tasks;
    j.gang = true;
    j.demand.amount[static_cast<std::size_t>(resource::slots)] = tasks;
    j.state = record_state::finished;
    j.at.first_placed = tasks == 2 ? instant{0} : seconds{1};
    j.at.ended = j.at.first_placed + seconds{1};
    j.estimate = tasks == 2 ? duration{0} : seconds{60};
    jobs->add(j);
  }
  r.parallel = jobs;
  return r;
}

} // namespace troupe
