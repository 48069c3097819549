#include "model/jobs/moldability.hpp"

#include "model/jobs/job.hpp"

#include <algorithm>

namespace troupe {

duration moldability::at_width(duration length, std::uint32_t width) const {
  if (width == requested || length <= duration::zero())
    return length;
  constexpr double longest = 3e9; // s; about a hundred years, which runs do not reach
  const auto seconds = to_seconds(length) * speedup.at(requested) / speedup.at(width);
  return std::max(from_seconds(std::min(seconds, longest)), duration{1});
}

std::vector<std::uint32_t> moldability::widths() const {
  std::vector<std::uint32_t> all{least, requested, most};
  for (auto n = requested / 2; n > least; n /= 2)
    all.push_back(n);
  for (auto n = std::uint64_t{requested} * 2; n < most; n *= 2)
    all.push_back(static_cast<std::uint32_t>(n));
  std::ranges::sort(all);
  const auto rest = std::ranges::unique(all);
  all.erase(rest.begin(), rest.end());
  return all;
}

std::uint32_t moldability::width_of(std::uint32_t tasks) const {
  for (const auto width : widths())
    if (width >= tasks)
      return width;
  return most;
}

void mold(job& what, std::uint32_t width) {
  const auto& by = what.mold;
  auto& group = what.groups.front();
  group.count = width;
  group.durations.assign(1, by.at_width(by.runtime, width));
  what.estimate = by.at_width(by.estimate, width);
}

} // namespace troupe
