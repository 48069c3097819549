#pragma once

#include <cmath>
#include <cstdint>

namespace troupe::peers {

/// A small random generator for the models: a Weyl sequence whose values are multiplied and folded.
/// It is fast enough not to count in a measurement.
class fast_random {
public:
  explicit fast_random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}

  std::uint64_t next() {
    state_ += 0xA0761D6478BD642FULL;
    const auto product = static_cast<wide>(state_) * (state_ ^ 0xE7037ED1A0B428DBULL);
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  }

  /// Returns a number in 0 .. bound - 1; `bound` must not be 0.
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<wide>(next()) * bound) >> 64);
  }

  /// Returns a number in (0, 1].
  double unit() { return (static_cast<double>(next() >> 11) + 1) * 0x1.0p-53; }

  double exponential(double mean) { return -mean * std::log(unit()); }

private:
  __extension__ using wide = unsigned __int128;

  std::uint64_t state_;
};

} // namespace troupe::peers
