#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Sorts records of any bytes by key, and records of equal keys in the order in which they were
/// added. Its memory does not grow with their number: it sorts parts that fit into memory, writes
/// them to temporary files, and merges these at the end.
class record_sorter {
public:
  /// Keeps up to `memory` bytes in memory before they go to a temporary file.
  explicit record_sorter(std::size_t memory = 64 * 1024 * 1024) : memory_(memory) {}

  /// Adds a record. Must not be called after `next`. Throws `std::runtime_error` if a temporary
  /// file cannot be written.
  void add(std::int64_t key, std::string_view record);

  /// Advances to the next record; returns false at the end.
  bool next();

  /// The current record, valid until the next call of `next`, and its key.
  std::string_view record() const { return record_; }
  std::int64_t key() const { return key_; }

  /// The number of temporary files written.
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
  std::size_t given_ = 0;         ///< entries returned, if there are no runs
  bool merging_ = false;
  std::string_view record_;
  std::string taken_; ///< the bytes of `record_`, if there are runs
  std::int64_t key_ = 0;
};

} // namespace troupe
