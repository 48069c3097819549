#include "model/base/distribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace troupe {

namespace {

/// Counters begin with so many bins. Each growth copies them, so they grow to twice their number or
/// more.
constexpr std::uint32_t first_size = 16;

constexpr auto last_bin = distribution::bin_count - 1;

constexpr double lowest = 0x1p-20;
constexpr double highest = 0x1p30;

// The bits of a double are its exponent and then its mantissa, so their upper part counts the bins.
constexpr int shift = 52 - 6;
constexpr std::uint64_t first_bin = std::bit_cast<std::uint64_t>(lowest) >> shift;

static_assert((std::bit_cast<std::uint64_t>(highest) >> shift) - first_bin ==
              distribution::bin_count);

std::uint32_t bin_of(double x) {
  if (!(x > lowest))
    return 0;
  if (x >= highest)
    return last_bin;
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
  const auto rounded =
    std::sqrt(std::max(0.0, sum_of_squares / static_cast<double>(count) - m * m));
  return std::min(rounded, (max - min) / 2); // Popoviciu's bound: equal numbers have none
}

double distribution::lower_edge(std::uint32_t bin) {
  return std::bit_cast<double>((first_bin + bin) << shift);
}

distribution::distribution(const distribution& other)
  : count_(other.count_), sum_(other.sum_), min_(other.min_), max_(other.max_) {
  if (empty())
    return;
  const auto [from, to] = other.filled();
  counts_.assign(other.counts_.begin() + from, other.counts_.begin() + to);
  first_ = other.first_ + static_cast<std::uint32_t>(from);
}

distribution::distribution(distribution&& other) noexcept {
  swap(other);
}

distribution& distribution::operator=(const distribution& other) {
  distribution{other}.swap(*this);
  return *this;
}

distribution& distribution::operator=(distribution&& other) noexcept {
  distribution{std::move(other)}.swap(*this);
  return *this;
}

void distribution::swap(distribution& other) noexcept {
  std::swap(count_, other.count_);
  std::swap(sum_, other.sum_);
  std::swap(min_, other.min_);
  std::swap(max_, other.max_);
  std::swap(first_, other.first_);
  counts_.swap(other.counts_);
}

void distribution::add(double x, std::uint64_t n) {
  if (n == 0)
    return;
  min_ = count_ == 0 || x < min_ ? x : min_;
  max_ = count_ == 0 || x > max_ ? x : max_;
  sum_ += x * static_cast<double>(n);
  add_to_bin(bin_of(x), n);
}

/// Returns where the counters that are not zero begin and end. There must be one.
std::pair<std::ptrdiff_t, std::ptrdiff_t> distribution::filled() const {
  const auto is_filled = [](std::uint64_t n) { return n > 0; };
  const auto from = std::ranges::find_if(counts_, is_filled) - counts_.begin();
  auto to = std::ssize(counts_);
  while (counts_[static_cast<std::size_t>(to) - 1] == 0)
    --to;
  return {from, to};
}

void distribution::add_to_bin(std::uint32_t index, std::uint64_t n) {
  auto at = index - first_; // of a lower bin than the first, it wraps around
  if (at >= counts_.size()) {
    reach(index);
    at = index - first_;
  }
  counts_[at] += n;
  count_ += n;
}

/// Grows the counters so that there is one for the bin.
void distribution::reach(std::uint32_t index) {
  if (counts_.empty()) {
    first_ = index / first_size * first_size;
    counts_.resize(first_size);
    return;
  }
  const auto size = static_cast<std::uint32_t>(counts_.size());
  if (index < first_) {
    const auto first = std::min(index, first_ - std::min(first_, size));
    counts_.insert(counts_.begin(), first_ - first, 0);
    first_ = first;
  } else {
    counts_.resize(std::min(std::max(index, first_ + 2 * size - 1), last_bin) + 1 - first_);
  }
}

void distribution::add_bins(const std::vector<bin>& bins) {
  if (bins.empty())
    return;
  // The last bin first, so that the counters grow to their final size at once.
  add_to_bin(std::min(bins.back().first, last_bin), 0);
  for (const auto& [index, n] : bins)
    add_to_bin(std::min(index, last_bin), n);
}

void distribution::merge(const distribution& other) {
  if (other.empty())
    return;
  min_ = empty() ? other.min_ : std::min(min_, other.min_);
  max_ = empty() ? other.max_ : std::max(max_, other.max_);
  sum_ += other.sum_;
  const auto& counts = other.counts_;
  const auto [from, to] = other.filled();
  // The last bin first, so that the counters grow to their final size at once.
  add_to_bin(other.first_ + static_cast<std::uint32_t>(to) - 1, 0);
  add_to_bin(other.first_ + static_cast<std::uint32_t>(from), 0);
  auto at = counts_.begin() + (std::int64_t{other.first_} + from - std::int64_t{first_});
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
      const auto high = std::min(max_, index == last_bin ? max_ : lower_edge(index + 1));
      return std::clamp(low + (high - low) * (rank - below + 0.5) / in_bin, min_, max_);
    }
    below += in_bin;
  }
  return max_;
}

std::vector<distribution::bin> distribution::bins() const {
  std::vector<bin> result;
  auto index = first_;
  for (const auto n : counts_) {
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
