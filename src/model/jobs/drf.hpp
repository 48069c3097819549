#pragma once

#include "model/base/resource_sum.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Dominant Resource Fairness (Ghodsi et al., NSDI 2011, section 4.1; with weights: section 4.3):
/// the user with the least dominant share, relative to its weight, is served next. Users count from
/// 0.
class drf {
public:
  /// Throws `std::invalid_argument` if a weight is not positive.
  drf(const resource_sum& capacity, std::vector<double> weights);

  /// Takes another capacity, by which all shares change.
  void set_capacity(const resource_sum& capacity);

  std::uint32_t users() const { return static_cast<std::uint32_t>(users_.size()); }

  void give(std::uint32_t user, const resources& amount);
  void take_back(std::uint32_t user, const resource_sum& amount);

  const resource_sum& given(std::uint32_t user) const { return users_[user].given; }

  /// The dominant share of a user, not divided by its weight.
  double share(std::uint32_t user) const { return users_[user].share; }

  /// The dominant share of a user relative to its weight.
  double relative_share(std::uint32_t user) const {
    return users_[user].share / users_[user].weight;
  }

  /// The users in the order of service: by share relative to weight, then by the number of grants
  /// so far, then by number.
  const std::vector<std::uint32_t>& order();

private:
  struct account {
    resource_sum given;
    double weight = 1;
    double share = 0;
    std::uint64_t times = 0;
  };

  bool before(std::uint32_t a, std::uint32_t b) const;

  resource_sum capacity_;
  std::vector<account> users_;
  std::vector<std::uint32_t> order_;
  bool sorted_ = true;
};

} // namespace troupe
