#pragma once

#include "model/base/random.hpp"
#include "model/cluster/catalog.hpp"
#include "model/jobs/job.hpp"
#include "model/protocol/protocol.hpp"

#include <boost/random/lognormal_distribution.hpp>

#include <cstdint>
#include <utility>
#include <vector>

/// Clusters and jobs for tests of the model, the policies and the cores.
namespace troupe::testing {

inline constexpr resources one_slot = resources::of_slots(1);

inline resources cpu_and_memory(std::int32_t milli_cpu, std::int32_t mib) {
  resources r;
  r[resource::cpu] = milli_cpu;
  r[resource::memory] = mib;
  return r;
}

/// Machines with `slots` slots each and the given scores; the unit is one slot.
inline catalog slot_catalog(const std::vector<double>& scores, std::uint32_t partitions,
                            std::int32_t slots) {
  std::vector<machine_info> machines;
  for (double score : scores)
    machines.push_back({resources::of_slots(slots), score, 0});
  return {std::move(machines), {{"default", {}}}, partitions, one_slot};
}

/// As above, with `count` machines that all have score 1.
inline catalog even_catalog(std::uint32_t count, std::uint32_t partitions, std::int32_t slots) {
  return slot_catalog(std::vector<double>(count, 1.0), partitions, slots);
}

/// The same, as places of a cluster that grows, of which no machine has joined.
inline catalog growing_catalog(std::uint32_t count, std::uint32_t partitions, std::int32_t slots) {
  auto made = even_catalog(count, partitions, slots);
  made.let_grow();
  return made;
}

/// Scores like those of the ParSync experiments: exp(N(0, sigma^2)).
inline std::vector<double> lognormal_scores(std::uint32_t count, double sigma = 0.5,
                                            std::uint64_t seed = 1) {
  auto random = random_stream::derive(seed, "scores", 0);
  boost::random::lognormal_distribution<> score{0, sigma};
  std::vector<double> scores;
  for (std::uint32_t i = 0; i < count; ++i)
    scores.push_back(score(random));
  return scores;
}

/// A job of equal one-slot tasks.
inline job slot_job(job_id id, std::uint32_t tasks, instant submitted = instant{0},
                    duration runtime = std::chrono::seconds{1}) {
  return {id, submitted, runtime, {{tasks, one_slot, {runtime}}}};
}

/// A placement of a one-slot task.
inline placement slot_placement(job_id job, std::uint32_t index, machine_id machine,
                                std::uint32_t seen_version = 0) {
  return {{job, index}, machine, seen_version, one_slot, std::chrono::seconds{1}};
}

} // namespace troupe::testing
