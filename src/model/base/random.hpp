#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace troupe {

/// A source of random bits: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, OOPSLA 2014). Every actor and every link has its own stream. The class is a uniform
/// random bit generator, so Boost.Random's distributions work on it and give the same numbers on
/// every platform.
class random_stream {
public:
  using result_type = std::uint64_t;

  explicit constexpr random_stream(std::uint64_t state = 0) : state_(state) {}

  /// Returns the stream of number `index` of `role`, which must not be empty, in the run with
  /// `seed`. Streams that differ in any of the three are unrelated.
  static constexpr random_stream derive(std::uint64_t seed, std::string_view role,
                                        std::uint64_t index) {
    std::uint64_t h = mix(seed + golden);
    for (char c : role)
      h = mix((h ^ static_cast<unsigned char>(c)) + golden);
    return random_stream{mix(h ^ mix(index + golden))};
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  constexpr result_type operator()() { return mix(state_ += golden); }

  /// Returns a number in 0 .. bound - 1 without noticeable bias; `bound` must not be 0.
  constexpr std::uint64_t below(std::uint64_t bound) {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<wide>((*this)()) * bound) >> 64);
  }

  /// Returns a number in [0, 1).
  constexpr double unit() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

  /// Spreads the bits of `z` so that neighbouring inputs have unrelated outputs.
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

private:
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;
  std::uint64_t state_;
};

} // namespace troupe
