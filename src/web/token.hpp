#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace troupe {

/// Returns random bytes as hexadecimal digits, two for each byte.
std::string random_token(std::size_t bytes);

/// Reads the token in a file, or writes a new one there, with mode 0600, if the file does not
/// exist. Throws security_error if others than its owner may read the file, or if it contains no
/// token: one line of 32 to 256 characters from A to Z, a to z, 0 to 9, '-', '_', '.' and '~'.
std::string token_in(const std::filesystem::path& path);

/// Reads the token in a file, likewise; throws security_error if the file does not exist, too.
std::string existing_token_in(const std::filesystem::path& path);

/// Compares in a time that depends only on the lengths.
bool same_token(std::string_view a, std::string_view b);

} // namespace troupe
