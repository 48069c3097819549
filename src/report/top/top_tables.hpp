#pragma once

#include "report/top/top_frame.hpp"

#include <string>
#include <vector>

namespace troupe {

/// A table as text.
struct top_text_table {
  std::string header;
  std::vector<std::string> rows;
  std::string why_empty; ///< if there are no rows
};

/// Returns the rows with a text, sorted by a column: names rising, numbers falling.
top_text_table top_rows(const live_state& state, top_table table, std::size_t sort,
                        const std::string& filter);

} // namespace troupe
