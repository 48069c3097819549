#pragma once

#include "model/base/random.hpp"
#include "report/explain/explain_names.hpp"
#include "runtime/recording.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace troupe::test {

/// A run with its records, to be explained.
struct known_run {
  run_settings settings;
  record_batch records;
  std::string rows;

  known_run(const std::string& text, const std::vector<std::string>& overrides) {
    auto made = run_recorded(text, overrides);
    settings = std::move(made.settings);
    rows = timeseries_of(made.results);
    records = std::move(made.records);
  }

  /// Of some tasks, chosen by a seed; those that had trouble first.
  std::vector<task_record> sample(std::size_t n, std::uint64_t seed) const {
    auto all = records.tasks;
    auto random = random_stream::derive(seed, "sample", 0);
    for (std::size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[random.below(i)]);
    // Half of them are any, half are of those that were refused, preempted or lost.
    std::ranges::stable_partition(all, [](const task_record& t) {
      return t.tallies.conflicts + t.tallies.preempted + t.tallies.lost == 0;
    });
    std::vector<task_record> some;
    for (std::size_t i = 0; i < n && i < all.size(); ++i)
      some.push_back(i % 2 == 0 ? all[i / 2] : all[all.size() - 1 - i / 2]);
    return some;
  }

  std::vector<attempt_record> refusals(const task_id& task) const {
    std::vector<attempt_record> of;
    std::ranges::copy_if(records.attempts, std::back_inserter(of),
                         [&](const attempt_record& a) { return a.task == task; });
    return of;
  }
};

inline explain_names names_of(const run_settings& settings) {
  return {&settings, {}};
}

} // namespace troupe::test
