#include "model/base/distribution.hpp"

#include <boost/histogram/axis/integer.hpp>
#include <boost/histogram/histogram.hpp>
#include <boost/histogram/storage_adaptor.hpp>
#include <boost/histogram/unsafe_access.hpp>
#include <boost/histogram/weight.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace troupe {

namespace {

namespace bh = boost::histogram;

using bin_axis = bh::axis::integer<int, bh::axis::null_type, bh::axis::option::growth_t>;
using bin_histogram = bh::histogram<std::tuple<bin_axis>, bh::dense_storage<std::uint64_t>>;

/// Counters begin with so many bins. Each growth copies them, so they grow to twice their number or
/// more.
constexpr int first_size = 16;

constexpr auto last_bin = static_cast<int>(distribution::bin_count) - 1;

constexpr double lowest = 0x1p-20;
constexpr double highest = 0x1p20;

// The bits of a double are its exponent and then its mantissa, so their upper part counts the bins.
constexpr int shift = 52 - 6;
constexpr std::uint64_t first_bin = std::bit_cast<std::uint64_t>(lowest) >> shift;

static_assert((std::bit_cast<std::uint64_t>(highest) >> shift) - first_bin ==
              distribution::bin_count);

std::uint32_t bin_of(double x) {
  if (!(x > lowest))
    return 0;
  if (x >= highest)
    return distribution::bin_count - 1;
  return static_cast<std::uint32_t>((std::bit_cast<std::uint64_t>(x) >> shift) - first_bin);
}

} // namespace

void moments::merge(const moments& other) {
  if (other.count == 0)
    return;
  min = count == 0 ? other.min : std::min(min, other.min);
  max = count == 0 ? other.max : std::max(max, other.max);
  count += other.count;
  sum += other.sum;
  sum_of_squares += other.sum_of_squares;
}

double moments::stddev() const {
  if (count == 0)
    return 0;
  const auto m = mean();
  return std::sqrt(std::max(0.0, sum_of_squares / static_cast<double>(count) - m * m));
}

struct distribution::counters {
  bin_histogram histogram;

  explicit counters(std::uint32_t index)
    : histogram(bin_axis{first_of(index), first_of(index) + first_size}) {}

  int first() const { return histogram.axis().bin(0); }
  int last() const { return first() + histogram.axis().size() - 1; }
  bool has(std::uint32_t index) const {
    return static_cast<int>(index) >= first() && static_cast<int>(index) <= last();
  }

  /// The count in each bin, from `first()` on. Numbers are added here, as the call of the histogram
  /// would look for their bin once more.
  auto& counts() { return bh::unsafe_access::storage(histogram); }
  const auto& counts() const { return bh::unsafe_access::storage(histogram); }

  /// Grows so that it has the bin.
  void reach(std::uint32_t index) {
    const auto size = last() - first() + 1;
    const auto wanted = static_cast<int>(index);
    const auto reached = wanted < first() ? std::max(std::min(wanted, first() - size), 0)
                                          : std::min(std::max(wanted, last() + size), last_bin);
    histogram(reached, bh::weight(0));
  }

  static int first_of(std::uint32_t index) {
    return static_cast<int>(index) / first_size * first_size;
  }
};

double distribution::lower_edge(std::uint32_t bin) {
  return std::bit_cast<double>((first_bin + bin) << shift);
}

distribution::distribution() = default;

distribution::distribution(const distribution& other)
  : count_(other.count_),
    sum_(other.sum_),
    min_(other.min_),
    max_(other.max_),
    counters_(other.counters_ ? std::make_unique<counters>(*other.counters_) : nullptr) {}

distribution::distribution(distribution&& other) noexcept
  : count_(std::exchange(other.count_, 0)),
    sum_(std::exchange(other.sum_, 0)),
    min_(std::exchange(other.min_, 0)),
    max_(std::exchange(other.max_, 0)),
    counters_(std::move(other.counters_)) {}

distribution& distribution::operator=(distribution other) noexcept {
  count_ = other.count_;
  sum_ = other.sum_;
  min_ = other.min_;
  max_ = other.max_;
  counters_ = std::move(other.counters_);
  return *this;
}

distribution::~distribution() = default;

void distribution::add(double x, std::uint64_t n) {
  if (n == 0)
    return;
  min_ = count_ == 0 || x < min_ ? x : min_;
  max_ = count_ == 0 || x > max_ ? x : max_;
  sum_ += x * static_cast<double>(n);
  add_to_bin(bin_of(x), n);
}

void distribution::add_to_bin(std::uint32_t index, std::uint64_t n) {
  if (!counters_)
    counters_ = std::make_unique<counters>(index);
  else if (!counters_->has(index))
    counters_->reach(index);
  counters_->counts()[static_cast<std::size_t>(static_cast<int>(index) - counters_->first())] += n;
  count_ += n;
}

void distribution::add_bins(const std::vector<bin>& bins) {
  if (bins.empty())
    return;
  // The last bin first, so that the counters grow to their final size at once.
  add_to_bin(std::min(bins.back().first, bin_count - 1), 0);
  for (const auto& [index, n] : bins)
    add_to_bin(std::min(index, bin_count - 1), n);
}

void distribution::merge(const distribution& other) {
  if (other.empty())
    return;
  min_ = empty() ? other.min_ : std::min(min_, other.min_);
  max_ = empty() ? other.max_ : std::max(max_, other.max_);
  sum_ += other.sum_;
  const auto& counts = other.counters_->counts();
  const auto filled = [](std::uint64_t n) { return n > 0; };
  const auto from = std::ranges::find_if(counts, filled) - counts.begin();
  auto to = std::ssize(counts);
  while (counts[static_cast<std::size_t>(to) - 1] == 0)
    --to;
  // The last bin first, so that the counters grow to their final size at once.
  const auto first = other.counters_->first();
  add_to_bin(static_cast<std::uint32_t>(first + to - 1), 0);
  add_to_bin(static_cast<std::uint32_t>(first + from), 0);
  auto at = counters_->counts().begin() + (first + from - counters_->first());
  for (auto i = from; i < to; ++i)
    *at++ += counts[static_cast<std::size_t>(i)];
  count_ += other.count_;
}

double distribution::quantile(double q) const {
  if (empty() || q <= 0)
    return min_;
  if (q >= 1)
    return max_;
  const auto rank = q * static_cast<double>(count_ - 1);
  double below = 0;
  for (const auto& [index, n] : bins()) {
    const auto in_bin = static_cast<double>(n);
    if (rank < below + in_bin) {
      const auto low = std::max(min_, index == 0 ? min_ : lower_edge(index));
      const auto high = std::min(max_, index == bin_count - 1 ? max_ : lower_edge(index + 1));
      return std::clamp(low + (high - low) * (rank - below + 0.5) / in_bin, min_, max_);
    }
    below += in_bin;
  }
  return max_;
}

std::vector<distribution::bin> distribution::bins() const {
  std::vector<bin> result;
  if (!counters_)
    return result;
  auto index = static_cast<std::uint32_t>(counters_->first());
  for (const auto n : counters_->histogram) {
    if (n > 0)
      result.emplace_back(index, n);
    ++index;
  }
  return result;
}

distribution distribution::from_parts(double sum, double min, double max,
                                      const std::vector<bin>& bins) {
  distribution result;
  result.add_bins(bins);
  if (!result.empty()) {
    result.sum_ = sum;
    result.min_ = min;
    result.max_ = max;
  }
  return result;
}

bool distribution::operator==(const distribution& other) const {
  return count_ == other.count_ && sum_ == other.sum_ && min_ == other.min_ && max_ == other.max_ &&
         bins() == other.bins();
}

} // namespace troupe
