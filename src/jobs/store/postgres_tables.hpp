#pragma once

#include "jobs/store/store_tables.hpp"

#include <string>

namespace troupe {

/// `read_tables` and `make_tables` for a database of PostgreSQL.
std::unique_ptr<store_tables> read_postgres_tables(const std::string& address);
std::unique_ptr<store_tables> make_postgres_tables(const std::string& address);

} // namespace troupe
