#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

/// What the fuzzers share.
namespace troupe::fuzz {

/// Takes the first byte off `in`; 0 if there is none. Fuzzers choose modes by it.
inline std::uint8_t take_byte(std::span<const std::uint8_t>& in) {
  if (in.empty())
    return 0;
  const auto first = in.front();
  in = in.subspan(1);
  return first;
}

inline std::string text_of(std::span<const std::uint8_t> in) {
  return {in.begin(), in.end()};
}

/// Ends the program, with a message, in the way in which libFuzzer notices it.
inline void require(bool holds, const char* what) {
  if (holds)
    return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

} // namespace troupe::fuzz
