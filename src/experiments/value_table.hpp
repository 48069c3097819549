#pragma once

#include <string>
#include <vector>

namespace troupe {

/// Texts in rows and columns, and how they are written down.
struct value_table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows; ///< each as long as the header

  /// For a terminal: aligned columns, the first to the left, the others to the right.
  std::string to_plain() const;

  /// As a table of Markdown (GitHub's), aligned in the same way.
  std::string to_markdown() const;

  /// As RFC 4180 says.
  std::string to_csv() const;
};

} // namespace troupe
