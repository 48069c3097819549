#include "model/jobs/drf.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace troupe {

drf::drf(const resource_sum& capacity, std::vector<double> weights)
  : capacity_(capacity), users_(weights.size()), order_(weights.size()) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0))
      throw std::invalid_argument("a weight must be more than 0");
    users_[i].weight = weights[i];
  }
  std::iota(order_.begin(), order_.end(), 0u);
}

void drf::set_capacity(const resource_sum& capacity) {
  capacity_ = capacity;
  for (auto& user : users_)
    user.share = dominant_share(user.given, capacity_);
  sorted_ = false;
}

bool drf::before(std::uint32_t a, std::uint32_t b) const {
  const auto left = relative_share(a);
  const auto right = relative_share(b);
  return std::tie(left, users_[a].times, a) < std::tie(right, users_[b].times, b);
}

void drf::give(std::uint32_t user, const resources& amount) {
  auto& to = users_[user];
  to.given += amount;
  to.share = dominant_share(to.given, capacity_);
  ++to.times;
  if (!sorted_)
    return;
  // The user can only have moved backwards.
  for (auto at = std::ranges::find(order_, user); at + 1 != order_.end(); ++at) {
    if (!before(*(at + 1), user))
      break;
    std::iter_swap(at, at + 1);
  }
}

void drf::take_back(std::uint32_t user, const resource_sum& amount) {
  auto& from = users_[user];
  from.given -= amount;
  from.share = dominant_share(from.given, capacity_);
  sorted_ = false;
}

const std::vector<std::uint32_t>& drf::order() {
  if (!sorted_)
    std::ranges::sort(order_, [this](auto a, auto b) { return before(a, b); });
  sorted_ = true;
  return order_;
}

} // namespace troupe
