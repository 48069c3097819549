#pragma once

#include "model/jobs/constraint.hpp"

#include <map>
#include <string>
#include <vector>

namespace troupe {

/// Preferences of a class of tasks: attributes of machines, with weights. They are not
/// requirements. A machine's score for the class is its own score times the exponential of the sum
/// of the weights of the preferences that it meets.
struct task_class {
  struct preference {
    constraint what;
    double weight = 0; ///< of any sign; 0.7 nearly doubles a score
  };

  std::string name;
  std::vector<preference> prefers;

  /// Returns the factor for the score of a machine with these attributes.
  double factor(const std::map<std::string, std::string>& attributes) const;
};

} // namespace troupe
