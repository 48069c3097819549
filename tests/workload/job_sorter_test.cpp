#include "model/base/random.hpp"
#include "workload/traces/job_sorter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace troupe {

namespace {

trace_job job_at(std::int64_t at, std::uint32_t mark) {
  trace_job job;
  job.submitted = instant{at};
  job.groups.resize(1);
  job.groups[0].count = mark;
  job.groups[0].durations = {duration{7}};
  return job;
}

/// Sorts jobs at random times, few enough to be alike, within so much memory.
std::vector<trace_job> sorted(std::size_t memory, std::size_t& runs) {
  job_sorter sorter{memory};
  auto random = random_stream::derive(1, "jobs", 0);
  for (std::uint32_t i = 1; i <= 2000; ++i)
    sorter.add(job_at(static_cast<std::int64_t>(random.below(100)), i));
  std::vector<trace_job> out;
  trace_job job;
  while (sorter.next(job))
    out.push_back(job);
  runs = sorter.runs();
  return out;
}

} // namespace

TEST_CASE("a job comes back as it was added") {
  trace_job job = job_at(5, 3);
  job.estimate = duration{11};
  job.asks = job.gang = job.spread = true;
  job.priority = -4;
  job.groups[0].demand[resource::gpu] = 500;
  job.groups[0].durations = {duration{1}, duration{2}, duration{3}};
  job.groups[0].constraints = {{"gpu", constraint_operator::in, {"a", "b"}}};
  job.groups.push_back(job.groups[0]);
  job.groups[1].after = {0};
  std::string bytes;
  append_bytes(bytes, job);
  std::string_view rest{bytes};
  trace_job read;
  take_bytes(rest, read);
  CHECK(rest.empty());
  CHECK(read.submitted == job.submitted);
  CHECK(read.estimate == job.estimate);
  CHECK((read.asks && read.gang && read.spread));
  CHECK(read.priority == -4);
  REQUIRE(read.groups.size() == 2);
  CHECK(read.groups[0].count == 3);
  CHECK(read.groups[0].demand == job.groups[0].demand);
  CHECK(read.groups[0].durations == job.groups[0].durations);
  CHECK(read.groups[0].constraints == job.groups[0].constraints);
  CHECK(read.groups[1].after == job.groups[1].after);
}

TEST_CASE("jobs come in the order of submission, then in that of adding, also through files") {
  std::size_t no_runs = 0;
  std::size_t many_runs = 0;
  const auto in_memory = sorted(64 * 1024 * 1024, no_runs);
  const auto in_files = sorted(10'000, many_runs);
  CHECK(no_runs == 0);
  CHECK(many_runs > 10);
  REQUIRE(in_memory.size() == 2000);
  REQUIRE(in_files.size() == 2000);
  for (std::size_t i = 0; i < 2000; ++i) {
    if (i > 0) {
      const auto& before = in_memory[i - 1];
      const auto& at = in_memory[i];
      REQUIRE(before.submitted <= at.submitted);
      if (before.submitted == at.submitted)
        REQUIRE(before.groups[0].count < at.groups[0].count);
    }
    REQUIRE(in_files[i].groups[0].count == in_memory[i].groups[0].count);
  }
}

TEST_CASE("a sorter to which nothing was added has nothing") {
  job_sorter sorter;
  trace_job job;
  CHECK_FALSE(sorter.next(job));
}

} // namespace troupe
