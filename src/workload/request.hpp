#pragma once

#include "model/random.hpp"
#include "model/resources.hpp"
#include "settings/settings.hpp"

#include <vector>

namespace troupe {

/// Draws what the tasks of a job ask for: always the same, or one of several requests by weight.
class request_sampler {
public:
  /// Takes the weighted requests, or where there are none, the single one; a request in which
  /// everything is zero stands for one slot. Throws `std::invalid_argument` if the weights do not
  /// add up to more than zero or one of them is negative.
  explicit request_sampler(const workload_settings& settings);

  const resources& operator()(random_stream& random) const {
    return demands_.size() == 1 ? demands_.front() : draw(random);
  }

private:
  const resources& draw(random_stream& random) const;

  std::vector<resources> demands_;
  std::vector<double> weights_; ///< running sums
};

} // namespace troupe
