#pragma once

#include "actors/sparrow/sparrow_core.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

/// The core of a Sparrow scheduler without actors: what tests of it share.
namespace troupe::testing {

using namespace std::chrono_literals;

/// A Sparrow scheduler on eight machines with one slot, unless the test says otherwise.
struct cluster_of_one {
  explicit cluster_of_one(const sparrow_limits& limits = {},
                          catalog machines_ = even_catalog(8, 1, 1))
    : machines(std::move(machines_)), core(3, machines, limits, random_stream{1}) {}

  void submit(job j) {
    core.submit({std::move(j)});
    while (core.decide(0s))
      core.place(out);
  }

  task_assignment ask(job_id job, machine_id machine, std::uint32_t group = 0) {
    return core.hand_out({job, group, machine, machine, 0}, out);
  }

  void start(const task_assignment& a, machine_id machine, instant at) {
    core.book({{{a.order.task, machine, at}}, {}}, out);
  }

  void end(const task_id& task, machine_id machine, instant at) {
    core.book({{}, {{task, machine, task_outcome::finished, at}}}, out);
  }

  std::vector<machine_id> reserved() const {
    std::vector<machine_id> all;
    for (const auto& [m, entry] : out.entries)
      if (entry.kind == entry_kind::reservation)
        all.push_back(m);
    return all;
  }

  scheduler_sample sample(instant now = 0s) {
    scheduler_sample sum;
    for (const auto& s : core.take_samples(now))
      sum.merge(s.sample);
    return sum;
  }

  catalog machines;
  sparrow_core core;
  sparrow_outbox out;
};

inline sparrow_limits probing_by(probing how) {
  sparrow_limits limits;
  limits.how = how;
  return limits;
}

inline std::size_t distinct(std::vector<machine_id> all) {
  return std::set<machine_id>{all.begin(), all.end()}.size();
}

} // namespace troupe::testing
