#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Puts records, which are any bytes, into the order of their keys, those of one key into that in
/// which they were added, in memory that does not grow with their number: what does not fit is
/// sorted in parts, which wait in temporary files and are merged at the end.
class record_sorter {
public:
  /// Keeps up to `memory` bytes in memory before they go to a temporary file.
  explicit record_sorter(std::size_t memory = 64 * 1024 * 1024) : memory_(memory) {}

  /// Adds a record; not to be called after `next`. Throws `std::runtime_error` if a temporary file
  /// cannot be written.
  void add(std::int64_t key, std::string_view record);

  /// Goes on to the next record; returns false if there is none left.
  bool next();

  /// The latest record, valid until the next call of `next`, and its key.
  std::string_view record() const { return record_; }
  std::int64_t key() const { return key_; }

  /// How many temporary files have been written.
  std::size_t runs() const { return runs_.size(); }

private:
  struct entry {
    std::int64_t key = 0;
    std::size_t at = 0; ///< in `bytes_`
    std::uint32_t size = 0;
  };

  struct close_file {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };

  struct run {
    std::unique_ptr<std::FILE, close_file> file;
    std::int64_t key = 0; ///< of the record at the front
    std::string front;    ///< that record
  };

  void sort_entries();
  void spill();
  static bool advance(run& from);
  void begin_merge();
  bool goes_after(std::size_t a, std::size_t b) const;

  std::size_t memory_;
  std::string bytes_;
  std::vector<entry> entries_;
  std::vector<run> runs_;
  std::vector<std::size_t> heap_; ///< runs with a front, the earliest on top
  std::size_t given_ = 0;         ///< entries handed out, where there are no runs
  bool merging_ = false;
  std::string_view record_;
  std::string taken_; ///< what `record_` is of, where there are runs
  std::int64_t key_ = 0;
};

} // namespace troupe
