#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace troupe {

/// Count, mean, standard deviation and extremes of numbers, which are added one by one.
struct moments {
  std::uint64_t count = 0;
  double sum = 0;
  double sum_of_squares = 0;
  double min = 0; ///< defined if count > 0
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

  /// Returns the population standard deviation (the divisor is the count).
  double stddev() const;
};

/// The distribution of numbers, for instance of delays in s: exact count, sum and extremes, and
/// quantiles from bins. From 2^-20 to 2^30 (about 1e-6 to 1e9, so that the waits and run times of a
/// log of years are in range) every octave has 64 bins of equal width, so a bin is between 0.8 %
/// and 1.6 % wide, as in HdrHistogram (Tene, 2012). Smaller numbers count in the lowest bin and
/// greater ones in the highest. The bin is computed from the bits of the number, so it is the same
/// on every platform. An empty distribution stores no bins; any other stores a few times as many as
/// lie between its least and its greatest number, and a copy only these.
class distribution {
public:
  /// A bin's number, from 0 to `bin_count` - 1, and the count of numbers in it.
  using bin = std::pair<std::uint32_t, std::uint64_t>;

  static constexpr std::uint32_t bin_count = 50 * 64;

  /// Returns the lower edge of a bin, also for the lowest bin, which holds smaller numbers as well.
  /// For `bin_count`, returns the upper edge of the highest bin.
  static double lower_edge(std::uint32_t bin);

  distribution() = default;
  distribution(const distribution& other);
  distribution(distribution&& other) noexcept; ///< leaves `other` empty
  distribution& operator=(const distribution& other);
  distribution& operator=(distribution&& other) noexcept; ///< leaves `other` empty
  ~distribution() = default;

  /// Adds `x`, which must be finite, `n` times.
  void add(double x, std::uint64_t n = 1);

  /// Adds all numbers of `other`.
  void merge(const distribution& other);

  bool empty() const { return count_ == 0; }
  std::uint64_t count() const { return count_; }
  double sum() const { return sum_; }
  double min() const { return min_; } ///< 0 while empty
  double max() const { return max_; } ///< 0 while empty
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

  /// Returns the quantile `q` in 0 .. 1: the number of rank q * (count - 1), counted from 0,
  /// interpolated within its bin and never outside of min .. max; exact for q = 0 and q = 1.
  /// Returns 0 while empty.
  double quantile(double q) const;

  /// Returns the bins that are not empty, in rising order. The bins, the sum, min and max are the
  /// whole state: see `from_parts`.
  std::vector<bin> bins() const;

  /// Returns the distribution with these bins, sum and extremes, as read from another one. Bins
  /// whose number is too great count as the highest.
  static distribution from_parts(double sum, double min, double max, const std::vector<bin>& bins);

  bool operator==(const distribution& other) const;

private:
  void swap(distribution& other) noexcept;
  std::pair<std::ptrdiff_t, std::ptrdiff_t> filled() const;
  void add_to_bin(std::uint32_t index, std::uint64_t n);
  void reach(std::uint32_t index);
  void add_bins(const std::vector<bin>& bins);

  std::uint64_t count_ = 0;
  double sum_ = 0;
  double min_ = 0;
  double max_ = 0;
  std::vector<std::uint64_t> counts_; ///< of the bins from `first_` on
  std::uint32_t first_ = 0;
};

} // namespace troupe
