#pragma once

#include "model/base/random.hpp"
#include "support/reference_moldable.hpp"
#include "support/rigid_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace troupe::testing {

/// Random jobs such as the rigid ones, two thirds of which are moldable, with a serial fraction.
inline std::vector<reference::moldable_job>
random_moldable_jobs(std::size_t jobs, std::int64_t processors, estimates how, std::uint64_t seed) {
  auto random = random_stream::derive(seed, "moldable_jobs", 0);
  std::vector<reference::moldable_job> made;
  for (const auto& j : random_rigid_jobs(jobs, processors, how, seed)) {
    auto& next = made.emplace_back();
    next.submitted = j.submitted;
    const double serial = static_cast<double>(random.below(30)) / 100;
    const auto speedup = [&](std::int64_t n) {
      return 1 / (serial + (1 - serial) / static_cast<double>(n));
    };
    const auto most = random.below(3) == 0 ? j.processors : j.processors * 4;
    auto n = random.below(3) == 0 ? j.processors : std::max<std::int64_t>(1, j.processors / 4);
    for (; n <= std::min(most, processors); n *= 2) {
      const auto ratio = speedup(j.processors) / speedup(n);
      const auto scaled = [&](std::int64_t length) {
        return std::max<std::int64_t>(1, std::llround(static_cast<double>(length) * ratio));
      };
      if (n <= j.processors)
        next.requested = next.widths.size();
      next.widths.push_back({n, scaled(j.runtime), scaled(j.estimate)});
    }
  }
  return made;
}

} // namespace troupe::testing
