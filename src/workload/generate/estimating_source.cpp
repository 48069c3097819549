#include "workload/generate/estimating_source.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace troupe {

namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr std::array<duration, 20> round_values{
  minutes{5},  minutes{10}, minutes{15}, minutes{20}, minutes{30}, minutes{45}, hours{1},
  minutes{90}, hours{2},    hours{3},    hours{4},    hours{5},    hours{6},    hours{8},
  hours{10},   hours{12},   hours{18},   hours{24},   hours{36},   hours{48}};

/// The longest of the estimates that share a quarter of the jobs.
constexpr double longest_share = 0.25;

duration longest_task(const job& j) {
  duration longest{0};
  for (const auto& group : j.groups)
    for (const auto d : group.durations)
      longest = std::max(longest, d);
  return longest;
}

} // namespace

duration round_estimate(duration runtime, random_stream& random) {
  const double first = random.unit();
  const double second = random.unit();
  if (runtime > round_values.back()) {
    const duration day = hours{24};
    return (runtime / day + (runtime % day > duration::zero() ? 1 : 0)) * day;
  }
  if (first < longest_share)
    return round_values.back();
  const auto least = static_cast<std::size_t>(std::ranges::lower_bound(round_values, runtime) -
                                              round_values.begin());
  // Each value that is long enough is half as likely as the one before.
  auto at = least;
  for (double left = second; left >= 0.5 && at + 1 < round_values.size(); left = 2 * left - 1)
    ++at;
  return round_values[at];
}

std::optional<job> estimating_source::next() {
  auto j = forwarding_source::next();
  if (!j || kind_ == estimate_kind::given)
    return j;
  const auto longest = longest_task(*j);
  if (kind_ == estimate_kind::exact)
    j->estimate = longest;
  else if (kind_ == estimate_kind::factor)
    j->estimate = from_seconds(std::min(to_seconds(longest) * factor_, 1e9));
  else
    j->estimate = round_estimate(longest, random_);
  return j;
}

} // namespace troupe
