#pragma once

#include "workload/row_fields.hpp"
#include "workload/text_reader.hpp"
#include "workload/trace_tally.hpp"
#include "workload/trace_window.hpp"

namespace troupe {

/// Reads rows with `read(line)` until it has made a job of one, and counts them. Lines without a
/// field, and those whose first field begins with `comment`, are no rows. Returns whether there was
/// such a row; at the end of the file it checks that the window was reached.
template <class Read>
bool read_next_row(text_reader& text, trace_window& window, trace_tally& tally, char comment,
                   Read read) {
  while (const auto line = text.next()) {
    auto rest = *line;
    const auto first = take_field(rest);
    if (first.empty() || first.front() == comment)
      continue;
    tally.row();
    if (read(*line)) {
      tally.use();
      return true;
    }
  }
  window.check_end(text.path(), tally);
  return false;
}

} // namespace troupe
