#pragma once

#include "model/base/time.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// A row of a table of maintenance windows and advance reservations. It names machines in one of
/// three ways.
struct window_row {
  std::string at; ///< "FILE:LINE", for messages
  instant from{0};
  instant to{0};
  bool utc = false; ///< these count from 1970 on, in UTC; else from the start of the run
  std::vector<std::pair<std::uint32_t, std::uint32_t>> machines;   ///< first and last
  std::vector<std::pair<std::uint32_t, std::uint32_t>> partitions; ///< likewise
  std::uint32_t count = 0;                                         ///< of any machines
  std::string tenant; ///< the tenant of a reservation; empty: maintenance
};

/// Reads such a table, in CSV with a header:
///
///     start_s,end_s,machines,partitions,count,tenant
///     28800,36000,0-63 70,,,
///     43200,50400,,,32,physics
///
/// With the columns `start` and `end` in place of the first two, times are in UTC, such as
/// 2026-12-01T08:00:00Z. Columns that no row needs may be left out. Blank lines and those that
/// begin with # are skipped. Throws `std::runtime_error` with the file, the line and the value if
/// one is not right.
std::vector<window_row> read_windows(const std::string& path);

} // namespace troupe
