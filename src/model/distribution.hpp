#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace troupe {

/// Count, mean, standard deviation and extremes of numbers that are added one by one.
struct moments {
  std::uint64_t count = 0;
  double sum = 0;
  double sum_of_squares = 0;
  double min = 0; ///< meaningful where count > 0
  double max = 0;

  void add(double x) {
    min = count == 0 || x < min ? x : min;
    max = count == 0 || x > max ? x : max;
    ++count;
    sum += x;
    sum_of_squares += x * x;
  }

  void merge(const moments& other);
  double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
  double stddev() const;
};

} // namespace troupe
