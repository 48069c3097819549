#pragma once

#include "model/protocol/fault.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace troupe {

/// One row of a trace of failures: `12.5 kill machine.3 60`.
struct fault_row {
  std::size_t line = 0;               ///< of the file, from 1
  double from = 0;                    ///< s, 0 to 1e9
  double length = 0;                  ///< s, 0 to 1e9; 0: without end
  fault_kind kind = fault_kind::kill; ///< kill, freeze or drain
  std::string target;                 ///< such as "machine.3"; its existence is not checked
};

/// Reads a trace of failures. `#` starts a comment; blank lines are ignored. Throws
/// `std::runtime_error` that names the file, the line and its text if a row is malformed.
std::vector<fault_row> read_fault_trace(const std::string& path);

} // namespace troupe
