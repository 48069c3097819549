#pragma once

#include "jobs/store/job_database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>
#include <string_view>

namespace troupe {

/// A lock that only one process holds at a time; it ends with the process.
class store_lock {
public:
  /// Throws `store_refused` if another process, or another part of this one, holds it.
  explicit store_lock(const std::filesystem::path& store);
  store_lock(const store_lock&) = delete;
  store_lock& operator=(const store_lock&) = delete;
  ~store_lock();

private:
  int fd_ = -1;
};

/// Opens a store for writing and brings its schema up to date; makes it, for its owner only, if it
/// does not exist. Throws `store_refused`.
SQLite::Database open_for_writing(const std::filesystem::path& file, bool wait_for_disk);

/// Opens a store for reading. Throws `store_refused` if it does not exist or is of another version.
SQLite::Database open_for_reading(const std::filesystem::path& file);

/// Binds the parameters of a statement in order.
template <class... Values>
void bind_all(SQLite::Statement& to, const Values&... values) {
  to.reset();
  int index = 0;
  (to.bind(++index, values), ...);
}

/// Returns the value of `name` in a table of names.
template <class Enum, class Names>
Enum named(const Names& names, const SQLite::Column& column) {
  const std::string text = column.getString();
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == text)
      return static_cast<Enum>(i);
  throw store_broken{"the store has the unknown word '" + text + '\''};
}

} // namespace troupe
