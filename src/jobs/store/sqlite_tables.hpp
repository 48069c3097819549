#pragma once

#include "jobs/store/store_tables.hpp"

namespace troupe {

/// `read_tables` and `make_tables` for a file of SQLite.
std::unique_ptr<store_tables> read_sqlite_tables(const std::filesystem::path& file);
std::unique_ptr<store_tables> make_sqlite_tables(const std::filesystem::path& file);

} // namespace troupe
