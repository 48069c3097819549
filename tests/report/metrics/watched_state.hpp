#pragma once

#include "model/live/live_book.hpp"

#include <chrono>

namespace troupe::test {

/// The state of a run of 2 s with two groups of a scheduler each, and two owners, of which one has
/// failed. `world` is as in `live_about`.
inline live_state watched_state(const char* world) {
  using namespace std::chrono_literals;
  live_about about;
  about.name = "watched";
  about.architecture = "parsync";
  about.world = world;
  about.origin = 1.7e9;
  about.sync_gap = 1s;
  about.machines = 12;
  about.owners = 2;
  about.groups = {{"a", "adaptive", 1}, {"b", "adaptive", 1}};
  about.group_of = {0, 1};
  about.policies = {"adaptive", "adaptive"};
  about.owner_of = {0, 1};
  auto state = live_state_of(about);
  for (std::int64_t second = 0; second < 2; ++second) {
    live_sample s;
    s.from = second * 1s;
    s.to = (second + 1) * 1s;
    s.nodes.queues.machines = 12; // as where machines have queues
    s.nodes.queues.steal_attempts = 5;
    s.resources[0] = {100, 40, 6};
    for (std::uint32_t n = 0; n < 2; ++n) {
      scheduler_answer answer{n, 1, {}, {}};
      auto& counts = answer.sample;
      counts.tasks.submitted = 7;
      counts.tasks.placed = 3;
      counts.tasks.queued = 10 * (n + 1);
      counts.conflicts_by_cause[0] = 1;
      counts.busy = 250ms;
      counts.delay.add(0.5);
      counts.job_response.add(3);
      counts.waiting.add(1.5);
      counts.placement_age.add(0.25);
      counts.attempts.granted_by_age[2] = 1;
      s.groups.push_back(counts);
      s.schedulers.push_back(answer);
      owner_answer owner{n, n == 0 ? 1 + static_cast<incarnation_id>(second) : 1, {}, {}};
      owner.sample.machines = 5;
      owner.sample.accepted = 3;
      owner.sample.resources[0] = {50, 20, 3};
      partition_details part;
      part.partition = n;
      part.refused[1] = 2;
      owner.partitions = {part};
      s.owners.push_back(owner);
    }
    add_sample(state, s);
  }
  return state;
}

} // namespace troupe::test
