#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>

/// Small files with secrets.
namespace troupe {

/// Returns what a regular file of at most 1 MiB holds; throws security_error if it is missing,
/// unreadable, too long or not a regular file. `expected` ends the message: what would be right.
std::string read_small_file(const std::filesystem::path& path, std::string_view expected);

/// What to do with a file that is there already.
enum class existing { keep, replace };

/// Writes a file with permissions `mode`, less the umask, from its first byte on. What is there is
/// replaced as a whole, or kept: then throws security_error. Throws std::runtime_error if writing
/// fails, and leaves no part of the file.
void write_small_file(const std::filesystem::path& path, std::string_view text, mode_t mode,
                      existing what_is_there);

/// Makes a directory that only its owner may enter, and the ones above it; leaves the permissions
/// of those that are there as they are.
void make_private_directory(const std::filesystem::path& path);

/// Throws security_error if keys must not be written to `path`: it is a symbolic link, belongs to
/// another user, or anybody may write to it. Nothing is wrong with one that is not there yet.
void check_private_directory(const std::filesystem::path& path);

} // namespace troupe
