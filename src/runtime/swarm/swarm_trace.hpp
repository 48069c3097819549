#pragma once

#include <string_view>

namespace troupe {

/// Returns the directory of the trace of machines that a swarm draws, below the directory for
/// temporary files. Writes the trace there if it is missing. Twelve machines with three cores leave
/// and join, lose and regain a part of their capacity, one by one and several at a time, from the
/// first tenth of a second on; all of them are whole from 13 s on. Throws
/// `std::filesystem::filesystem_error` or `std::runtime_error` if it cannot be written.
std::string_view swarm_trace();

} // namespace troupe
