#include "model/usage_meter.hpp"

#include <algorithm>

namespace troupe {

void usage_meter::add_capacity(const resources& capacity) {
  for (std::size_t k = 0; k < resource_kinds; ++k)
    capacity_[k] += capacity.amount[k];
}

double usage_meter::utilization() const {
  double most = 0;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (capacity_[k] > 0)
      most = std::max(most, static_cast<double>(used_[k]) / static_cast<double>(capacity_[k]));
  return most;
}

} // namespace troupe
