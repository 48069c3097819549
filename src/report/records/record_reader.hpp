#pragma once

#include "workload/traces/text_reader.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Reads a file of records (docs/records.md), compressed or not, row by row, in constant memory.
class record_reader {
public:
  /// Throws `std::runtime_error` with a message for the user if the file cannot be read.
  explicit record_reader(const std::filesystem::path& file);

  /// Returns the position of a column. Throws `std::runtime_error` if there is none of this name.
  std::size_t column(std::string_view name) const;

  /// The names of the columns.
  const std::vector<std::string>& header() const { return header_; }

  /// Goes to the next row; false at the end. Throws `std::runtime_error` if it is damaged.
  bool next();

  /// Returns a cell of this row, without quotes; valid until the next row.
  std::string_view text(std::size_t column) const { return row_[column]; }
  /// Returns a cell as a number; NaN if it is empty or no number.
  double number(std::size_t column) const;

private:
  void split(std::string_view line);

  text_reader in_;
  std::vector<std::string> header_;
  std::string unquoted_;              ///< the cells of this row that had quotes
  std::vector<std::string_view> row_; ///< cells, of the line or of `unquoted_`
};

} // namespace troupe
