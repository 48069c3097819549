#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A CSV file (RFC 4180) of numbers, by column. The columns `group`, `policy`, `tenant`,
/// `event`, `member` and `detail` hold texts.
struct csv_columns {
  std::size_t rows = 0;
  std::map<std::string, std::vector<double>, std::less<>> numbers; ///< NaN where a field is empty
  std::map<std::string, std::vector<std::string>, std::less<>> texts;

  /// Returns a column; an empty one if there is none of this name.
  const std::vector<double>& number(std::string_view name) const;
  const std::vector<std::string>& text(std::string_view name) const;
};

/// Reads such a file. Throws `std::runtime_error` with a message for the user that names the file,
/// and the line, the column and the value of a field that is wrong. A missing file is an error,
/// too.
csv_columns read_columns(const std::filesystem::path& file);

} // namespace troupe
