#include "model/metrics/attempt_counts.hpp"

namespace troupe {

distribution attempt_counts::tries() const {
  auto all = later;
  if (at_once > 0)
    all.add(1, at_once);
  return all;
}

void attempt_counts::merge(const attempt_counts& other) {
  transactions += other.transactions;
  conflicted += other.conflicted;
  aborted += other.aborted;
  diverted += other.diverted;
  wasted += other.wasted;
  at_once += other.at_once;
  later.merge(other.later);
  wait.merge(other.wait);
  for (std::size_t i = 0; i < age_bins; ++i) {
    granted_by_age[i] += other.granted_by_age[i];
    refused_by_age[i] += other.refused_by_age[i];
  }
  refused_age.merge(other.refused_age);
  gangs_placed += other.gangs_placed;
  gangs_broken += other.gangs_broken;
  gangs_impossible += other.gangs_impossible;
  jobs_abandoned += other.jobs_abandoned;
  unplaceable += other.unplaceable;
}

} // namespace troupe
