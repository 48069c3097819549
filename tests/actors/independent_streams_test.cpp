#include "actors/owner/owner_core.hpp"
#include "actors/scheduler/scheduler_core.hpp"
#include "policies/random_fit.hpp"
#include "support/model_builders.hpp"
#include "support/sync_of.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace troupe;
using namespace troupe::testing;

namespace {

constexpr std::uint32_t schedulers = 10;
constexpr int rounds = 200;
constexpr std::uint32_t batch = 5;
constexpr std::uint32_t machine_count = 1'000;

/// In each round every scheduler sees the whole cluster idle and places `batch` tasks. Returns the
/// conflicts per placement tried.
template <class StreamOf>
double conflicts_per_try(StreamOf stream_of) {
  const auto machines = even_catalog(machine_count, 1, 1);
  std::vector<scheduler_core> cores;
  for (scheduler_id s = 0; s < schedulers; ++s)
    cores.emplace_back(s, machines, std::vector<owner_id>{0}, std::make_unique<random_fit>(),
                       scheduler_limits{.batch = batch, .max_attempts = 1}, stream_of(s),
                       instant{0});
  std::uint64_t conflicts = 0;
  for (int round = 0; round < rounds; ++round) {
    owner_core owner{0, machines, std::array<partition_id, 1>{0}, schedulers,
                     conflict_detection::fine};
    std::vector<granted_placement> granted;
    for (auto& core : cores) {
      core.refresh(sync_of(owner, sync_plan::partitioned(duration{1}, 1), 1, core.id(), instant{0}),
                   instant{0});
      std::vector<job> jobs;
      jobs.push_back(slot_job(static_cast<job_id>(round), batch));
      core.submit(std::move(jobs));
      core.decide(instant{0});
    }
    for (auto& core : cores)
      for (const auto& [to, request] : core.commit(instant{0})) {
        const auto reply = owner.commit(request, granted, instant{0});
        conflicts += reply.rejections.size();
        core.answer(reply, instant{0});
      }
  }
  return static_cast<double>(conflicts) / (rounds * schedulers * batch);
}

} // namespace

TEST_CASE(
  "schedulers conflict as chance has it, and many times as often if their seeds are equal") {
  const double own_streams =
    conflicts_per_try([](scheduler_id s) { return random_stream::derive(1, "scheduler", s); });
  const double same_stream =
    conflicts_per_try([](scheduler_id) { return random_stream::derive(1, "scheduler", 0); });
  // The k-th scheduler finds k * batch slots taken, nearly.
  const double by_chance = (schedulers - 1) / 2.0 * batch / machine_count;
  const double deviation = std::sqrt(by_chance / (rounds * schedulers * batch));
  CHECK(std::abs(own_streams - by_chance) < 4 * deviation);
  CHECK(same_stream == doctest::Approx((schedulers - 1.0) / schedulers));
  CHECK(same_stream > 30 * own_streams);
}
