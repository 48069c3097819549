#pragma once

#include "model/base/time.hpp"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Rows of a CSV file with a header in its first line, as text: no spaces, LF, an empty cell for
/// what is not known. Made for millions of rows: a cell costs a few ns.
class record_text {
public:
  /// Ends the row.
  void end_row() {
    if (size_ > 0 && text_[size_ - 1] == ',')
      text_[size_ - 1] = '\n';
  }

  template <std::integral Number>
  void add(Number n) {
    auto* const at = room(longest_number);
    put(std::to_chars(at, at + longest_number, n).ptr);
  }

  void add(bool yes) { add_text(yes ? "true" : "false"); }

  /// Adds the shortest decimal that reads back as the same number.
  template <std::floating_point Number>
  void add(Number x) {
    auto* const at = room(longest_number);
    put(std::to_chars(at, at + longest_number, x + Number{0}).ptr); // -0 is not wanted
  }

  /// Adds a time in seconds, with all of its digits.
  void add(duration d) { add_decimal<1'000'000'000>(d.count()); }

  /// Adds `thousandths` / 1000.
  void add_thousandths(std::int64_t thousandths) { add_decimal<1'000>(thousandths); }

  /// Adds text as it is: it must need no quotes, or have them.
  void add_text(std::string_view text) {
    auto* const at = room(text.size());
    put(std::copy(text.begin(), text.end(), at));
  }

  /// Adds a whole line, with its end.
  void add_line(std::string_view line) {
    auto* const at = room(line.size());
    std::copy(line.begin(), line.end(), at);
    size_ += line.size();
  }

  /// Adds an empty cell.
  void skip() { put(room(0)); }

  std::string_view view() const { return {text_.data(), size_}; }
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }

private:
  static constexpr std::size_t longest_number = 48;

  /// Returns the end of the text, with room for `n` characters and a comma.
  char* room(std::size_t n) {
    if (text_.size() < size_ + n + 1)
      text_.resize(2 * (size_ + n + 1));
    return text_.data() + size_;
  }

  /// Ends the cell whose text ends before `end`.
  void put(char* end) {
    *end = ',';
    size_ = static_cast<std::size_t>(end + 1 - text_.data());
  }

  /// Adds `n` / `Unit`, a power of ten, without zeros at the end.
  template <std::uint32_t Unit>
  void add_decimal(std::int64_t n) {
    auto* at = room(longest_number);
    if (n < 0)
      *at++ = '-';
    const auto amount = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    at = std::to_chars(at, at + longest_number, amount / Unit).ptr;
    auto rest = static_cast<std::uint32_t>(amount % Unit);
    if (rest > 0) {
      auto unit = Unit;
      while (rest % 1000 == 0) { // most times are whole numbers of ms or us
        rest /= 1000;
        unit /= 1000;
      }
      *at++ = '.';
      while (rest > 0) {
        unit /= 10;
        *at++ = static_cast<char>('0' + rest / unit);
        rest %= unit;
      }
    }
    put(at);
  }

  std::vector<char> text_; ///< of which the first `size_` characters are used
  std::size_t size_ = 0;
};

/// Returns text with the quotes that a cell needs (RFC 4180).
std::string as_cell(std::string_view text);

} // namespace troupe
