#pragma once

#include "model/resources.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace troupe {

/// Amounts of resources added up over many machines.
struct resource_totals {
  std::array<std::int64_t, resource_kinds> amount{};

  void add(const resources& r) {
    for (std::size_t k = 0; k < resource_kinds; ++k)
      amount[k] += r.amount[k];
  }

  void remove(const resources& r) {
    for (std::size_t k = 0; k < resource_kinds; ++k)
      amount[k] -= r.amount[k];
  }

  void add(const resource_totals& other) {
    for (std::size_t k = 0; k < resource_kinds; ++k)
      amount[k] += other.amount[k];
  }

  void remove(const resource_totals& other) {
    for (std::size_t k = 0; k < resource_kinds; ++k)
      amount[k] -= other.amount[k];
  }

  friend bool operator==(const resource_totals&, const resource_totals&) = default;
};

/// Returns the greatest share of its total that `part` has of any resource, 0 .. 1. Resources of
/// which there are none do not count.
double dominant_share(const resource_totals& part, const resource_totals& whole);

/// Dominant Resource Fairness (Ghodsi et al., NSDI 2011, section 4.1; with weights: section 4.3):
/// who has the least dominant share, relative to its weight, is served next. Users count from 0.
class drf {
public:
  /// Throws `std::invalid_argument` if a weight is not positive.
  drf(const resource_totals& capacity, std::vector<double> weights);

  std::uint32_t users() const { return static_cast<std::uint32_t>(users_.size()); }

  void give(std::uint32_t user, const resources& amount);
  void take_back(std::uint32_t user, const resource_totals& amount);

  const resource_totals& given(std::uint32_t user) const { return users_[user].given; }

  /// The dominant share of a user, whatever its weight.
  double share(std::uint32_t user) const { return users_[user].share; }

  /// The users in the order in which to serve them: by their share relative to their weight, then
  /// by how often they have been given something, then by number.
  const std::vector<std::uint32_t>& order();

private:
  struct account {
    resource_totals given;
    double weight = 1;
    double share = 0;
    std::uint64_t times = 0;
  };

  bool before(std::uint32_t a, std::uint32_t b) const;

  resource_totals capacity_;
  std::vector<account> users_;
  std::vector<std::uint32_t> order_;
  bool sorted_ = true;
};

} // namespace troupe
