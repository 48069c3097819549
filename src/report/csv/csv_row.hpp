#pragma once

#include "report/columns/columns.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace troupe {

/// Builds one row of a CSV file (RFC 4180).
class csv_row {
public:
  void add(std::string_view text) {
    separate();
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
      line_ += text;
      return;
    }
    line_ += '"';
    for (char c : text)
      line_ += c == '"' ? "\"\"" : std::string(1, c);
    line_ += '"';
  }

  void add(std::uint64_t n) {
    separate();
    line_ += std::to_string(n);
  }

  /// Empty if it was not measured.
  void add(double x, bool measured = true) {
    separate();
    if (!measured || !std::isfinite(x))
      return;
    std::array<char, 32> text;
    const auto result =
      std::to_chars(text.data(), text.data() + text.size(), x + 0.0, std::chars_format::general, 9);
    line_.append(text.data(), result.ptr);
  }

  void write(std::ostream& out) const { out << line_ << "\r\n"; }

private:
  void separate() {
    if (!first_)
      line_ += ',';
    first_ = false;
  }

  std::string line_;
  bool first_ = true;
};

/// Writes the first row: the names of the columns.
inline void write_header(std::ostream& out, std::span<const file_column> columns) {
  csv_row row;
  for (const auto& c : columns)
    row.add(c.name);
  row.write(out);
}

} // namespace troupe
