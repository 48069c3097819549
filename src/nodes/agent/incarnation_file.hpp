#pragma once

#include "model/protocol/failure_protocol.hpp"

#include <filesystem>

namespace troupe {

/// Counts one more incarnation in a file, which is created if it does not exist. Returns its
/// number. Throws `std::runtime_error` with a message for the user if the file cannot be read or
/// written.
incarnation_id next_incarnation(const std::filesystem::path& file);

} // namespace troupe
