#pragma once

#include "model/protocol/failure_protocol.hpp"

#include <cstdint>
#include <filesystem>

namespace troupe {

/// Counts one more incarnation in a file, which is created if it does not exist. Returns its
/// number. Throws `std::runtime_error` with a message for the user if the file cannot be read or
/// written.
incarnation_id next_incarnation(const std::filesystem::path& file);

/// Returns `by_clock`, or the number after the last one of the file if that is greater, as the
/// host's clock has gone back; and keeps it in the file. Throws likewise.
std::uint64_t rising_number(const std::filesystem::path& file, std::uint64_t by_clock);

/// Takes the number in the file back to `by_clock` if it is greater: nobody is left who knows it.
/// Throws likewise.
void take_back(const std::filesystem::path& file, std::uint64_t by_clock);

} // namespace troupe
