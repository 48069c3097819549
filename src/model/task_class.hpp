#pragma once

#include "model/constraint.hpp"

#include <map>
#include <string>
#include <vector>

namespace troupe {

/// What tasks of one class prefer, without demanding it: attributes of their machines, with
/// weights. A machine's score for the class is its own score times the exponential of the sum of
/// the weights of what it meets.
struct task_class {
  struct preference {
    constraint what;
    double weight = 0; ///< of any sign; 0.7 doubles a score, nearly
  };

  std::string name;
  std::vector<preference> prefers;

  /// Returns what the score of a machine with these attributes is multiplied by.
  double factor(const std::map<std::string, std::string>& attributes) const;
};

} // namespace troupe
