#pragma once

#include "report/metrics/metric_table.hpp"

#include <string>
#include <utility>
#include <vector>

/// How the values of metrics are computed from a live state.
namespace troupe::metric_values {

using values = std::vector<metric_value>;
using process = process_figures;

inline values one(double value) {
  return {{{}, value}};
}

/// The name of a group of jobs, or its number if it has none.
std::string group_name(const live_state& s, std::size_t group);

/// Returns `read(sample)` of each group.
template <class Read>
values by_group(const live_state& s, Read read) {
  values all;
  for (std::size_t g = 0; g < s.groups.size(); ++g)
    all.push_back({{group_name(s, g)}, static_cast<double>(read(s.groups[g]))});
  return all;
}

/// Returns `read(scheduler)` of each scheduler.
template <class Read>
values by_scheduler(const live_state& s, Read read) {
  values all;
  for (std::size_t i = 0; i < s.schedulers.size(); ++i)
    all.push_back({{std::to_string(i)}, static_cast<double>(read(s.schedulers[i]))});
  return all;
}

/// Returns the sum of `read(sample)` of all groups.
template <class Read>
values of_all_groups(const live_state& s, Read read) {
  double all = 0;
  for (const auto& g : s.groups)
    all += static_cast<double>(read(g));
  return one(all);
}

/// The distribution of delays of each group as a histogram.
values delays_by_group(const live_state& s, distribution scheduler_sample::*of);

/// A share of each resource that the cluster has.
values by_resource(const live_state& s, double (resource_use::*read)() const);

std::uint64_t sum(const cause_counts& counts);

// The values of one metric each; the table says which.
values build_info(const live_state& s, const process&);
values nodes(const live_state& s, const process&);
values members(const live_state& s, const process&);
values failovers(const live_state& s, const process&);
values machines(const live_state& s, const process&);
values owner_use(const live_state& s, const process&);
values tasks(const live_state& s, const process&);
values tasks_ended(const live_state& s, const process&);
values jobs_ended(const live_state& s, const process&);
values oldest(const live_state& s, const process&);
values commit_answers(const live_state& s, const process&);
values conflicts(const live_state& s, const process&);
values owner_conflicts(const live_state& s, const process&);
values placement_ages(const live_state& s, const process&);
values offers(const live_state& s, const process&);
values steals(const live_state& s, const process&);

} // namespace troupe::metric_values
