#include "experiments/sweeps/bisection.hpp"

#include <bit>

namespace troupe {

bisection::bisection(std::int64_t from, std::int64_t to, std::int64_t step)
  : from_(from), to_(to), step_(step), good_((to - from + step - 1) / step) {}

std::optional<std::int64_t> bisection::next() const {
  if (!tried_)
    return value(good_);
  if (good_ - bad_ <= 1)
    return std::nullopt;
  return value(bad_ + (good_ - bad_) / 2);
}

void bisection::tell(bool good) {
  if (!tried_) {
    tried_ = true;
    if (!good)
      bad_ = good_;
    return;
  }
  const auto middle = bad_ + (good_ - bad_) / 2;
  (good ? good_ : bad_) = middle;
}

std::optional<std::int64_t> bisection::found() const {
  if (!tried_ || good_ - bad_ != 1)
    return std::nullopt;
  return value(good_);
}

int bisection::steps_left() const {
  const auto between = good_ - bad_ - 1;
  const auto halvings = std::bit_width(static_cast<std::uint64_t>(between > 0 ? between : 0));
  return static_cast<int>(halvings) + (tried_ ? 0 : 1);
}

} // namespace troupe
