#pragma once

#include <filesystem>
#include <string>

namespace troupe {

/// Where a store is.
struct store_place {
  std::filesystem::path file; ///< of SQLite; empty:
  std::string database;       ///< the address of a database of PostgreSQL

  /// Reads the place that a user names: an address of PostgreSQL, a file, or the directory with the
  /// state of a node, which has the store in `jobs.sqlite`. Throws `store_refused`.
  static store_place read(const std::string& text);

  bool is_file() const { return database.empty(); }

  /// For people.
  std::string text() const { return is_file() ? file.string() : database; }
};

/// The store of SQLite in the state of a node.
inline constexpr const char* store_file_name = "jobs.sqlite";

} // namespace troupe
