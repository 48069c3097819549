#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Writes a gzip file (RFC 1952) as a sequence of members, each of which can be read once it has
/// been written: a program that is killed leaves a file that reads back up to its last flush. Equal
/// contents, added in the same pieces, give equal bytes.
class gzip_file {
public:
  /// Creates the file, or empties it.
  explicit gzip_file(const std::filesystem::path& path);
  ~gzip_file();
  gzip_file(gzip_file&&) noexcept;

  /// Writes text as one member; nothing if it is empty. Returns false if the file cannot be
  /// written; then it ends with the last whole member, and takes no more.
  bool add(std::string_view text);

  /// Closes the file. Returns false if it could not be written to its end.
  bool close();

private:
  struct compressor;

  void cut();

  std::filesystem::path path_;
  std::ofstream out_;
  std::uintmax_t whole_ = 0; ///< bytes of whole members
  bool failed_ = false;
  std::unique_ptr<compressor> with_;
  std::vector<char> packed_;
};

} // namespace troupe
