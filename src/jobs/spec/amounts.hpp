#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Reads an amount of bytes: "256MiB", "1.5GiB", "500MB" or "4096". Throws
/// `std::invalid_argument` with the expected form, also if it is not a whole number of bytes or
/// exceeds `most`.
std::int64_t parse_bytes(std::string_view text, std::int64_t most);

/// Renders an amount of bytes in the largest binary unit that divides it, such as "256MiB".
std::string bytes_text(std::int64_t bytes);

} // namespace troupe
