#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace troupe {

/// Counts the rows of a trace: used rows, skipped rows by reason, and malformed rows.
class trace_tally {
public:
  /// `row_format` describes the format of a row, for messages.
  explicit trace_tally(std::string row_format) : row_format_(std::move(row_format)) {}

  /// Counts a row that has been read.
  void row() { ++rows_; }

  /// Counts a result of the rows.
  void use() { ++used_; }

  /// Counts a skipped item that is not malformed.
  void skip(std::string_view reason, std::uint64_t n = 1);

  /// Counts a malformed row at line `line` of `path`; always returns false. Throws
  /// `std::runtime_error`, with the first malformed row, if more than 1 % of the rows are
  /// malformed, checked from the 1,000th row on.
  bool malformed(const std::string& path, std::uint64_t line, std::string_view reason,
                 const std::string& detail);

  /// To be called at the end of the trace: throws `std::runtime_error` if there were no rows, or
  /// more than 1 % are malformed.
  void check_end(const std::string& path) const;

  std::uint64_t rows() const { return rows_; }
  std::uint64_t used() const { return used_; }
  std::uint64_t malformed_rows() const { return malformed_; }

  /// The place and the problem of the first malformed row; empty if there is none.
  const std::string& first_malformed() const { return first_malformed_; }

  /// The numbers of skipped items so far, by reason, including malformed rows.
  std::map<std::string, std::uint64_t> skipped() const {
    return {skipped_.begin(), skipped_.end()};
  }

private:
  void refuse_if_mostly_malformed() const;

  std::string row_format_;
  std::uint64_t rows_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t malformed_ = 0;
  std::string first_malformed_;
  std::map<std::string, std::uint64_t, std::less<>> skipped_;
};

} // namespace troupe
