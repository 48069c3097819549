#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// Writes numbers as text, faster than std::to_chars where they have few digits, as most cells of
/// records have.
namespace troupe::cell_digits {

/// Room that any number takes at most.
inline constexpr std::size_t longest = 48;

/// "00", "01", .. "99", one after the other.
inline constexpr auto pairs = [] {
  std::array<char, 200> all{};
  for (std::size_t i = 0; i < 100; ++i) {
    all[2 * i] = static_cast<char>('0' + i / 10);
    all[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return all;
}();

inline void write_pair(char* at, std::uint32_t n) {
  std::memcpy(at, pairs.data() + 2 * std::size_t{n}, 2);
}

/// Writes a whole number, and returns the end of the text.
inline char* write(char* at, std::uint64_t n) {
  if (n < 10) {
    *at = static_cast<char>('0' + n);
    return at + 1;
  }
  if (n < 100) {
    write_pair(at, static_cast<std::uint32_t>(n));
    return at + 2;
  }
  if (n < 10'000) {
    const auto small = static_cast<std::uint32_t>(n);
    const auto head = small / 100;
    at = write(at, head);
    write_pair(at, small - 100 * head);
    return at + 2;
  }
  if (n < 100'000'000) {
    const auto some = static_cast<std::uint32_t>(n);
    const auto head = some / 10'000;
    const auto rest = some - 10'000 * head;
    at = write(at, head);
    write_pair(at, rest / 100);
    write_pair(at + 2, rest % 100);
    return at + 4;
  }
  return std::to_chars(at, at + longest, n).ptr;
}

template <std::integral Number>
char* write_integer(char* at, Number n) {
  if constexpr (std::is_signed_v<Number>)
    if (n < 0) {
      *at = '-';
      return write(at + 1, 0 - static_cast<std::uint64_t>(n));
    }
  return write(at, static_cast<std::uint64_t>(n));
}

/// Writes the digits behind the point of a fraction of 1,000, without zeros at the end; `n` > 0.
inline char* write_thousandths(char* at, std::uint32_t n) {
  at[0] = static_cast<char>('0' + n / 100);
  write_pair(at + 1, n % 100);
  return at + (n % 10 != 0 ? 3 : n % 100 != 0 ? 2 : 1);
}

/// Likewise, of a fraction of 10^9. Times are often whole numbers of ms or us.
inline char* write_billionths(char* at, std::uint32_t n) {
  const auto three = [](char* to, std::uint32_t part) {
    to[0] = static_cast<char>('0' + part / 100);
    write_pair(to + 1, part % 100);
  };
  const auto ms = n / 1'000'000;
  const auto below = n - 1'000'000 * ms;
  if (below == 0)
    return write_thousandths(at, ms);
  three(at, ms);
  const auto us = below / 1'000;
  const auto ns = below - 1'000 * us;
  if (ns == 0)
    return write_thousandths(at + 3, us);
  three(at + 3, us);
  return write_thousandths(at + 6, ns);
}

/// Writes `n` / `Unit`, which is 1,000 or 10^9, without zeros at the end.
template <std::uint32_t Unit>
char* write_decimal(char* at, std::int64_t n) {
  static_assert(Unit == 1'000 || Unit == 1'000'000'000);
  if (n < 0)
    *at++ = '-';
  const auto amount = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  const auto whole = amount / Unit;
  const auto rest = static_cast<std::uint32_t>(amount - Unit * whole);
  at = write(at, whole);
  if (rest == 0)
    return at;
  *at++ = '.';
  if constexpr (Unit == 1'000)
    return write_thousandths(at, rest);
  else
    return write_billionths(at, rest);
}

/// Writes `n` / 1024 as std::to_chars writes that number.
inline char* write_1024ths(char* at, std::int64_t n) {
  constexpr std::int64_t most = std::int64_t{100'000} << 10; // larger ones may have an exponent
  if (n < 0 || n >= most)
    return std::to_chars(at, at + longest, static_cast<double>(n) / 1024).ptr;
  at = write(at, static_cast<std::uint64_t>(n >> 10));
  const auto rest = static_cast<std::uint64_t>(n & 1023) * 9'765'625; // of 10^10
  if (rest == 0)
    return at;
  const auto first = rest / 1'000'000'000;
  *at++ = '.';
  *at++ = static_cast<char>('0' + first);
  const auto others = static_cast<std::uint32_t>(rest - 1'000'000'000 * first);
  return others == 0 ? at : write_billionths(at, others);
}

} // namespace troupe::cell_digits
