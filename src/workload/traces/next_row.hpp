#pragma once

#include "workload/formats/row_fields.hpp"
#include "workload/traces/text_reader.hpp"
#include "workload/traces/trace_tally.hpp"
#include "workload/traces/trace_window.hpp"

namespace troupe {

/// Calls `read(line)` for each row until one gives a job, and counts the rows. Lines without a
/// field, and lines whose first field begins with `comment`, are not rows. Returns whether there
/// was such a row. At the end of the file it checks that the window was reached.
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
