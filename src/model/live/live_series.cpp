#include "model/live/live_series.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Merges two means over rows of these lengths.
struct row_weights {
  double first = 0.5;
  double second = 0.5;

  row_weights(double a, double b) {
    if (a + b > 0)
      first = a / (a + b), second = b / (a + b);
  }

  template <class T>
  void mean(T& a, const T& b) const {
    a = static_cast<T>(a * first + b * second);
  }
};

/// Merges two figures of `a.count` and `b.count` values.
void merge_delays(delay_figures& a, const delay_figures& b) {
  const row_weights by{static_cast<double>(a.count), static_cast<double>(b.count)};
  by.mean(a.mean, b.mean);
  by.mean(a.p50, b.p50);
  by.mean(a.p90, b.p90);
  by.mean(a.p99, b.p99);
  a.max = std::max(a.max, b.max);
  a.count += b.count;
}

void merge_bands(value_band& a, const value_band& b, const row_weights& by) {
  a.min = std::min(a.min, b.min);
  by.mean(a.mid, b.mid);
  a.max = std::max(a.max, b.max);
}

void merge_groups(std::vector<group_point>& a, const std::vector<group_point>& b) {
  a.resize(std::max(a.size(), b.size()));
  for (std::size_t g = 0; g < b.size(); ++g) {
    a[g].queued = b[g].queued;
    a[g].submitted += b[g].submitted;
    a[g].placed += b[g].placed;
    a[g].conflicts += b[g].conflicts;
    merge_delays(a[g].delay, b[g].delay);
  }
}

void merge_schedulers(std::vector<scheduler_point>& a, const std::vector<scheduler_point>& b,
                      const row_weights& by) {
  a.resize(std::max(a.size(), b.size()));
  for (std::size_t s = 0; s < b.size(); ++s) {
    const row_weights by_tasks{static_cast<double>(a[s].placed), static_cast<double>(b[s].placed)};
    by_tasks.mean(a[s].delay_mean, b[s].delay_mean);
    by_tasks.mean(a[s].delay_p99, b[s].delay_p99);
    by.mean(a[s].queued, b[s].queued);
    by.mean(a[s].busy, b[s].busy);
    by.mean(a[s].age, b[s].age);
    a[s].placed += b[s].placed;
    a[s].conflicts += b[s].conflicts;
  }
}

void merge_partitions(std::vector<partition_point>& a, const std::vector<partition_point>& b,
                      const row_weights& by) {
  a.resize(std::max(a.size(), b.size()), {unknown_use, 0});
  for (std::size_t p = 0; p < b.size(); ++p) {
    if (a[p].use == unknown_use)
      a[p].use = b[p].use;
    else if (b[p].use != unknown_use)
      by.mean(a[p].use, b[p].use);
    a[p].refused = static_cast<std::uint16_t>(std::min(a[p].refused + b[p].refused, 65535));
  }
}

} // namespace

delay_figures delay_figures::of(const distribution& d) {
  return {d.count(), d.mean(), d.quantile(0.5), d.quantile(0.9), d.quantile(0.99), d.max()};
}

void live_row::append(const live_row& next) {
  const row_weights by{seconds(), next.seconds()};
  number = next.number;
  to = next.to;
  tasks.queued = tasks.in_commit = tasks.running = 0;
  tasks += next.tasks;
  jobs_submitted += next.jobs_submitted;
  jobs_over += next.jobs_over;
  for (std::size_t c = 0; c < conflict_causes; ++c)
    conflicts[c] += next.conflicts[c];
  preempted += next.preempted;
  commits += next.commits;
  snapshots += next.snapshots;
  delays.merge(next.delays);
  delay = delay_figures::of(delays);
  quality.merge(next.quality);
  by.mean(utilization, next.utilization);
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    by.mean(used[k], next.used[k]);
    by.mean(stranded[k], next.stranded[k]);
  }
  merge_bands(age, next.age, by);
  merge_bands(busy, next.busy, by);
  merge_bands(queue, next.queue, by);
  merge_groups(groups, next.groups);
  merge_schedulers(schedulers, next.schedulers, by);
  merge_partitions(partitions, next.partitions, by);
}

void live_series::add(live_row row) {
  if (in_last_ == per_row_ || whole_.empty()) {
    if (whole_.size() == most_) {
      for (std::size_t i = 0; i < most_ / 2; ++i) {
        auto pair = std::move(whole_[2 * i]);
        pair.append(whole_[2 * i + 1]);
        whole_[i] = std::move(pair);
      }
      whole_.resize(most_ / 2);
      per_row_ *= 2;
    }
    whole_.push_back(row);
    in_last_ = 1;
  } else {
    whole_.back().append(row);
    ++in_last_;
  }
  recent_.push_back(std::move(row));
  if (recent_.size() > most_)
    recent_.pop_front();
}

} // namespace troupe
