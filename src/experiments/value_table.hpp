#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace troupe {

/// Texts in rows and columns, and how they are written down.
struct value_table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows; ///< each as long as the header

  /// For a terminal: aligned columns, the first to the left, the others to the right. What is wider
  /// than `page` columns is shown in several blocks, one below the other, each with the first
  /// `keys` columns again; a text that is wider by itself is cut.
  std::string to_plain(std::size_t page = std::string::npos, std::size_t keys = 1) const;

  /// As a table of Markdown (GitHub's), aligned in the same way.
  std::string to_markdown() const;

  /// As RFC 4180 says.
  std::string to_csv() const;
};

} // namespace troupe
