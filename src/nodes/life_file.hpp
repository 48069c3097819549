#pragma once

#include "model/failure_protocol.hpp"

#include <filesystem>

namespace troupe {

/// Counts a life more in a file, which is made if there is none. Returns it. Throws
/// `std::runtime_error` with a message for the user if the file cannot be read or written.
incarnation next_life(const std::filesystem::path& file);

} // namespace troupe
