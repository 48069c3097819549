#include "workload/generate/molding_source.hpp"

#include "model/jobs/moldability.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace troupe {

namespace {

constexpr double most_tasks = 1e9;

/// Returns whether a job is one gang of equal tasks with an estimate.
bool can_be_molded(const job& j) {
  if (j.groups.size() != 1 || j.estimate <= duration::zero())
    return false;
  const auto& group = j.groups.front();
  return group.count > 1 && std::ranges::all_of(group.durations, [&](duration d) {
           return d == group.durations.front();
         });
}

speedup_model speedup_of(const moldable_settings& by, std::uint32_t requested) {
  return {by.speedup, by.serial_fraction, std::max(1.0, by.parallelism * requested), by.sigma};
}

} // namespace

std::optional<job> molding_source::next() {
  auto j = forwarding_source::next();
  if (!j)
    return j;
  const bool chosen = random_stream{random_stream::mix(seed_ ^ j->id)}.unit() < by_.share;
  if (!chosen || !(j->gang || gangs_) || !can_be_molded(*j))
    return j;
  const auto requested = j->groups.front().count;
  const auto times = [&](double factor) {
    return static_cast<std::uint32_t>(std::clamp(std::round(factor * requested), 1.0, most_tasks));
  };
  auto& as = j->mold;
  as.requested = requested;
  as.least = std::min(times(by_.min_width), requested);
  as.most = std::max(times(by_.max_width), requested);
  as.runtime = j->groups.front().durations.front();
  as.estimate = j->estimate;
  as.speedup = speedup_of(by_, requested);
  mold(*j, as.least);
  return j;
}

} // namespace troupe
