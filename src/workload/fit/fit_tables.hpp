#pragma once

#include "workload/fit/trace_profile.hpp"
#include "workload/traces/trace_job.hpp"

#include <map>
#include <vector>

namespace troupe {

/// Returns a distribution as a table of quantiles, finer towards its upper end.
distribution_settings quantile_table(const distribution& of);

/// The requests of tasks, with the number of tasks of each. Beyond a large number of different
/// requests, new ones are counted but not kept.
class request_counter {
public:
  void add(const task_group& group);

  std::size_t kinds() const { return counts_.size(); }

  /// Returns the most frequent requests in descending order, with their share of all tasks as
  /// weight.
  std::vector<request_settings> most_frequent(std::size_t n) const;

private:
  struct request {
    resources demand;
    std::vector<constraint> constraints;

    friend bool operator<(const request& a, const request& b) {
      return a.demand.amount != b.demand.amount ? a.demand.amount < b.demand.amount
                                                : a.constraints < b.constraints;
    }
  };

  std::map<request, std::uint64_t> counts_;
  std::uint64_t all_ = 0;
};

/// Returns the machines present at the beginning of the trace, by shape, the most frequent first;
/// at most `n` shapes.
std::vector<machine_class> machine_shapes(const machine_table& machines, std::size_t n);

} // namespace troupe
