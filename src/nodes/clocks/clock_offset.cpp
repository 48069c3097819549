#include "nodes/clocks/clock_offset.hpp"

#include <algorithm>
#include <cstdlib>

namespace troupe {

namespace {

constexpr std::size_t least_answers = 3;

/// Two centuries: greater values are no valid times, and would overflow.
constexpr std::int64_t latest = std::int64_t{7'258'118'400} * 1'000'000'000;

bool is_time(std::int64_t t) {
  return t >= 0 && t <= latest;
}

} // namespace

std::int64_t clock_offset::estimate::at_least() const {
  return std::max<std::int64_t>(std::abs(ahead) - error, 0);
}

void clock_offset::add(std::int64_t asked, std::int64_t received, std::int64_t answered,
                       std::int64_t now) {
  if (!is_time(asked) || !is_time(received) || !is_time(answered) || !is_time(now) ||
      answered < received || now < asked || answered - received > now - asked)
    return;
  samples_.push_back({(received - asked) / 2 + (answered - now) / 2,
                      ((now - asked) - (answered - received)) / 2 + 1});
  if (samples_.size() > most_kept)
    samples_.pop_front();
}

std::optional<clock_offset::estimate> clock_offset::best() const {
  if (samples_.size() < least_answers)
    return std::nullopt;
  return *std::ranges::min_element(samples_, {}, &estimate::error);
}

} // namespace troupe
