#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace troupe {

/// Reads a text file line by line in constant memory. A file that starts with gzip's magic bytes is
/// decompressed, regardless of its name.
class text_reader {
public:
  /// Throws `std::runtime_error` if the file is missing, is not a regular file, is empty or cannot
  /// be opened. The message starts with `path`.
  explicit text_reader(const std::string& path);
  ~text_reader();

  text_reader(const text_reader&) = delete;
  text_reader& operator=(const text_reader&) = delete;

  /// Returns the next line without its line end (LF or CRLF), valid until the next call, or nothing
  /// at the end of the file. A byte order mark at the start is skipped. Throws `std::runtime_error`
  /// on a read error, damaged or truncated gzip data, a zero byte (the file is binary) and a line
  /// of more than 64 MiB.
  std::optional<std::string_view> next();

  const std::string& path() const { return path_; }

  /// Returns the number of the line that `next` returned last, counted from 1.
  std::uint64_t line() const { return line_; }

  /// Returns whether that line is the last one and has no line end.
  bool is_cut() const { return cut_; }

  /// Returns the number of uncompressed bytes of text read so far.
  std::uint64_t bytes() const { return bytes_; }

private:
  class stream;

  bool fill();

  std::string path_;
  std::unique_ptr<stream> in_;
  std::string buffer_;
  std::size_t begin_ = 0; ///< of the text not returned yet
  std::uint64_t line_ = 0;
  bool cut_ = false;
  std::uint64_t bytes_ = 0;
};

} // namespace troupe
