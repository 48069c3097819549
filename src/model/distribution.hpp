#pragma once

#include <cstdint>
#include <memory>
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

  /// Returns the standard deviation of the numbers themselves (the divisor is the count).
  double stddev() const;
};

/// How numbers spread, for instance delays in s: exact count, sum and extremes, and quantiles from
/// bins. From 2^-20 to 2^20 (about 1e-6 to 1e6) every octave has 64 bins of equal width, so a bin
/// is between 0.8 % and 1.6 % wide; the scheme is that of HdrHistogram (Tene, 2012). Smaller
/// numbers count as the lowest bin and greater ones as the highest. Bins are found from the bits of
/// the number, hence the same on every platform. An empty distribution has no bins in memory, any
/// other only those between its least and its greatest number.
class distribution {
public:
  /// A bin's number, from 0 to `bin_count` - 1, and how many numbers fell into it.
  using bin = std::pair<std::uint32_t, std::uint64_t>;

  static constexpr std::uint32_t bin_count = 40 * 64;

  /// The least number that falls into a bin, were there no lower one; of `bin_count`: the end of
  /// the highest bin.
  static double lower_edge(std::uint32_t bin);

  distribution();
  distribution(const distribution& other);
  /// Leaves `other` empty.
  distribution(distribution&& other) noexcept;
  distribution& operator=(distribution other) noexcept;
  ~distribution();

  /// Adds `x`, which must be finite, `n` times.
  void add(double x, std::uint64_t n = 1);

  /// Adds everything that was added to `other`.
  void merge(const distribution& other);

  bool empty() const { return count_ == 0; }
  std::uint64_t count() const { return count_; }
  double sum() const { return sum_; }
  double min() const { return min_; } ///< 0 while empty
  double max() const { return max_; } ///< 0 while empty
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

  /// Returns the number below which the share `q` in 0 .. 1 lies: that of rank q * (count - 1),
  /// counted from 0, interpolated within its bin and never outside of min .. max; exact for 0 and
  /// 1. Returns 0 while empty.
  double quantile(double q) const;

  /// Returns the bins that are not empty, in rising order. With sum, min and max they are all that
  /// there is to know: see `from_parts`.
  std::vector<bin> bins() const;

  /// Returns the distribution with these bins, sum and extremes, as read from another one. Bins
  /// with a number too great count as the highest.
  static distribution from_parts(double sum, double min, double max, const std::vector<bin>& bins);

  bool operator==(const distribution& other) const;

private:
  struct counters;

  void add_to_bin(std::uint32_t index, std::uint64_t n);
  void add_bins(const std::vector<bin>& bins);

  std::uint64_t count_ = 0;
  double sum_ = 0;
  double min_ = 0;
  double max_ = 0;
  std::unique_ptr<counters> counters_;
};

} // namespace troupe
