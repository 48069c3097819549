#pragma once

#include "model/base/time.hpp"
#include "report/records/cell_digits.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace troupe {

/// Cells of one row of a CSV file, one after the other: no spaces, an empty cell for what is not
/// known. The caller provides the room.
class record_cells {
public:
  /// Room that a cell takes at most, unless it has text.
  static constexpr std::size_t longest_cell = cell_digits::longest + 1;

  /// The text of a time.
  struct time_text {
    std::int64_t ns = 0;
    std::uint32_t size = 0; ///< 0: none yet
    std::array<char, 28> text{};
  };

  /// The texts of the times of the last row. Many times are those of the row before: tasks of a job
  /// are submitted and decided on together.
  using last_times = std::array<time_text, 32>;

  record_cells(char* at, last_times& last) : at_(at), last_(&last) {}

  template <std::integral Number>
  void add(Number n) {
    put(cell_digits::write_integer(at_, n));
  }

  void add(bool yes) { add_text(yes ? "true" : "false"); }

  /// Adds the shortest decimal that reads back as the same number.
  template <std::floating_point Number>
  void add(Number x) {
    put(std::to_chars(at_, at_ + longest_cell, x + Number{0}).ptr); // -0 is not wanted
  }

  /// Adds a time in seconds, with all of its digits.
  void add(duration d) {
    auto& last = (*last_)[times_++ % std::tuple_size_v<last_times>];
    if (last.size > 0 && last.ns == d.count()) {
      std::memcpy(at_, last.text.data(), last.text.size());
      at_ += last.size;
      return;
    }
    const auto* const begin = at_;
    put(cell_digits::write_decimal<1'000'000'000>(at_, d.count()));
    last.ns = d.count();
    last.size = static_cast<std::uint32_t>(at_ - begin);
    std::memcpy(last.text.data(), begin, last.text.size());
  }

  /// Adds `thousandths` / 1000.
  void add_thousandths(std::int64_t thousandths) {
    put(cell_digits::write_decimal<1'000>(at_, thousandths));
  }

  /// Adds `n` / 1024.
  void add_1024ths(std::int64_t n) { put(cell_digits::write_1024ths(at_, n)); }

  /// Adds text as it is: it must need no quotes, or have them.
  void add_text(std::string_view text) { put(at_ + text.copy(at_, text.size())); }

  /// Adds an empty cell.
  void skip() { put(at_); }

  char* end() const { return at_; }

private:
  /// Ends the cell whose text ends before `end`.
  void put(char* end) {
    *end = ',';
    at_ = end + 1;
  }

  char* at_;
  last_times* last_;
  std::size_t times_ = 0; ///< of this row so far
};

/// Rows of a CSV file with a header in its first line, as text, with LF. Made for millions of rows:
/// a cell costs a few ns.
class record_text {
public:
  /// Adds a row, whose cells `fill` adds to a `record_cells`. They must take `most` characters at
  /// most.
  template <class Fill>
  void add_row(std::size_t most, Fill fill) {
    auto* const begin = room(most);
    record_cells row{begin, last_times_};
    fill(row);
    auto* const end = row.end();
    if (end > begin)
      end[-1] = '\n';
    size_ += static_cast<std::size_t>(end - begin);
  }

  /// Adds a whole line, with its end.
  void add_line(std::string_view line) {
    std::memcpy(room(line.size()), line.data(), line.size());
    size_ += line.size();
  }

  std::string_view view() const { return {text_.data(), size_}; }
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }

private:
  /// Returns the end of the text, with room for `n` characters.
  char* room(std::size_t n) {
    if (text_.size() < size_ + n)
      text_.resize(2 * (size_ + n));
    return text_.data() + size_;
  }

  std::vector<char> text_; ///< of which the first `size_` characters are used
  std::size_t size_ = 0;
  record_cells::last_times last_times_{};
};

/// Returns text with the quotes that a cell needs (RFC 4180).
std::string as_cell(std::string_view text);

} // namespace troupe
