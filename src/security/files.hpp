#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>

/// Small files with secrets.
namespace troupe {

/// Returns the contents of a regular file of at most 1 MiB. Throws security_error if the file is
/// missing, unreadable, too long or not a regular file. `expected`, the end of the message,
/// describes the expected file.
std::string read_small_file(const std::filesystem::path& path, std::string_view expected);

/// The treatment of an existing file.
enum class existing { keep, replace };

/// Writes a file that has the permissions `mode`, less the umask, from its first byte on. Replaces
/// an existing file atomically, or keeps it and throws security_error. The file is on the disk when
/// this returns. Throws std::runtime_error if writing fails, and leaves no part of the file.
void write_small_file(const std::filesystem::path& path, std::string_view text, mode_t mode,
                      existing what_is_there);

/// Creates a directory that only its owner may enter, and its parents. Does not change the
/// permissions of existing directories.
void make_private_directory(const std::filesystem::path& path);

/// Throws security_error if keys must not be written to `path`: it is a symbolic link, belongs to
/// another user, or is world-writable. Accepts a directory that does not exist yet.
void check_private_directory(const std::filesystem::path& path);

} // namespace troupe
