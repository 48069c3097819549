#pragma once

#include "model/protocol/failure_protocol.hpp"

#include <cstdint>
#include <filesystem>

namespace troupe {

/// Counts one more incarnation in a file, which is created if it does not exist. Returns its
/// number. Throws `std::runtime_error` with a message for the user if the file cannot be read or
/// written.
incarnation_id next_incarnation(const std::filesystem::path& file);

/// Returns the number that the next call of `next_incarnation` will give. Throws likewise.
incarnation_id coming_incarnation(const std::filesystem::path& file);

/// Returns `by_clock`, or the number after the last one of the file if this is greater, which means
/// that the host's clock was set back; keeps the result in the file. Throws likewise.
std::uint64_t rising_number(const std::filesystem::path& file, std::uint64_t by_clock);

/// Sets the number in the file back to `by_clock` if it is greater: no other node knows it any
/// more. Throws likewise.
void take_back(const std::filesystem::path& file, std::uint64_t by_clock);

} // namespace troupe
