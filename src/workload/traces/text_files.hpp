#pragma once

#include "workload/traces/text_reader.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Reads the lines of several text files, one file after the other, as `text_reader` reads one.
class text_files {
public:
  /// Opens the first file; throws like `text_reader`. There must be at least one.
  explicit text_files(std::vector<std::string> paths);

  /// Returns the next line, valid until the next call, or nothing at the end of the last file.
  std::optional<std::string_view> next();

  /// The file of the latest line, and the line's number in it.
  const std::string& path() const { return open_->path(); }
  std::uint64_t line() const { return open_->line(); }

  /// The number of that file, from 0.
  std::uint32_t file() const { return static_cast<std::uint32_t>(at_); }

  /// Returns whether the latest line is the last of its file and has no line end.
  bool is_cut() const { return open_->is_cut(); }

  /// The number of uncompressed bytes of text read so far.
  std::uint64_t bytes() const { return bytes_before_ + open_->bytes(); }

private:
  std::vector<std::string> paths_;
  std::size_t at_ = 0;
  std::unique_ptr<text_reader> open_;
  std::uint64_t bytes_before_ = 0;
};

} // namespace troupe
