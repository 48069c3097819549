#pragma once

#include "model/live/live_state.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// The table at the bottom of a frame.
enum class top_table : std::uint8_t { schedulers, owners, nodes, events };

/// What a frame is to show, and how.
struct top_view {
  std::size_t width = 80;
  std::size_t height = 24;
  top_table table = top_table::schedulers;
  std::size_t sort = 0; ///< the column of the table by which rows are sorted, greatest first
  std::string filter{}; ///< rows without this text are left out
  bool typing = false;  ///< the filter is being typed
  bool paused = false;
  bool help = false;
  bool color = false;
  bool utf8 = false;
  std::string note{}; ///< a problem to show in the first line; may be empty
};

/// A smaller screen gets one line that names the needed size.
inline constexpr std::size_t least_top_width = 60;
inline constexpr std::size_t least_top_height = 12;

/// Returns the lines of a frame, at most `height` of them and none wider than `width`.
std::vector<std::string> top_frame(const live_state& state, const top_view& view);

/// Returns the number of columns of a table by which it can be sorted.
std::size_t top_columns(top_table table);

/// Returns a plain block of lines for a file or a pipe: one sample, without a table.
std::string top_block(const live_state& state);

} // namespace troupe
