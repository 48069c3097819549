#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace troupe {

/// A table of texts, and its output formats.
struct value_table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows; ///< each with as many texts as the header

  /// For a terminal: aligned columns, the first to the left, the others to the right. A table wider
  /// than `page` columns is shown in several blocks, one below the other, each with the first
  /// `keys` columns again; a single text that is wider is cut.
  std::string to_plain(std::size_t page = std::string::npos, std::size_t keys = 1) const;

  /// As a table of Markdown (GitHub's), aligned in the same way.
  std::string to_markdown() const;

  /// In the format of RFC 4180.
  std::string to_csv() const;
};

} // namespace troupe
