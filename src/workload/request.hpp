#pragma once

#include "model/job.hpp"
#include "model/random.hpp"
#include "model/resources.hpp"
#include "settings/settings.hpp"

#include <vector>

namespace troupe {

/// Draws what the tasks of a job ask for, resources and constraints: always the same, or one of
/// several requests by weight.
class request_sampler {
public:
  /// Takes the weighted requests, or where there are none, the single one; a request in which
  /// everything is zero stands for one slot. Throws `std::invalid_argument` if the weights do not
  /// add up to more than zero or one of them is negative, or a constraint cannot be read.
  explicit request_sampler(const workload_settings& settings);

  /// Returns the resources that one request asks for.
  const resources& operator()(random_stream& random) const { return any(random).demand; }

  /// Lets the tasks of a group ask for what one request does.
  void fill(task_group& group, random_stream& random) const {
    const auto& asked = any(random);
    group.demand = asked.demand;
    group.constraints = asked.constraints;
  }

private:
  struct request {
    resources demand;
    std::vector<constraint> constraints;
  };

  const request& any(random_stream& random) const {
    return requests_.size() == 1 ? requests_.front() : draw(random);
  }

  const request& draw(random_stream& random) const;

  std::vector<request> requests_;
  std::vector<double> weights_; ///< running sums
};

} // namespace troupe
