#pragma once

#include "model/base/time.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

/// The classes into which parallel jobs are sorted in results.
namespace troupe {

struct width_class {
  std::string_view name;  ///< as in summary.json
  std::uint32_t most = 0; ///< tasks
};

inline constexpr std::array<width_class, 6> width_classes{
  {{"1", 1},
   {"2-4", 4},
   {"5-16", 16},
   {"17-64", 64},
   {"65-256", 256},
   {"over_256", std::numeric_limits<std::uint32_t>::max()}}};

struct estimate_class {
  std::string_view name;
  duration most{0};
};

/// The first one is of jobs without an estimate.
inline constexpr std::array<estimate_class, 6> estimate_classes{
  {{"none", duration{0}},
   {"to_10_min", std::chrono::minutes{10}},
   {"to_1_h", std::chrono::hours{1}},
   {"to_6_h", std::chrono::hours{6}},
   {"to_24_h", std::chrono::hours{24}},
   {"over_24_h", duration::max()}}};

/// Returns the index of the first class that is large enough. That of the last one is.
template <class Classes, class Value>
constexpr std::size_t class_of(const Classes& classes, Value value) {
  std::size_t i = 0;
  while (value > classes[i].most)
    ++i;
  return i;
}

} // namespace troupe
