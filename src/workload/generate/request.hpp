#pragma once

#include "model/base/random.hpp"
#include "model/base/resources.hpp"
#include "model/jobs/job.hpp"
#include "settings/schema/settings.hpp"

#include <vector>

namespace troupe {

/// Draws the request of the tasks of a job, resources and constraints: always the same one, or one
/// of several by weight.
class request_sampler {
public:
  /// Uses the weighted requests or, if there are none, the single one; a request of all zeros means
  /// one slot. Throws `std::invalid_argument` if the weights do not add up to more than zero or one
  /// of them is negative, or a constraint cannot be read.
  explicit request_sampler(const workload_settings& settings);

  /// Returns the resources of one request.
  const resources& operator()(random_stream& random) const { return any(random).demand; }

  /// Gives the tasks of a group one request.
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
