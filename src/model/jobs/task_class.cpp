#include "model/jobs/task_class.hpp"

#include <cmath>

namespace troupe {

double task_class::factor(const std::map<std::string, std::string>& attributes) const {
  double sum = 0;
  for (const auto& p : prefers)
    if (meets(attributes, p.what))
      sum += p.weight;
  return std::exp(sum);
}

} // namespace troupe
