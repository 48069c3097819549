#include "jobs/store/postgres_tables.hpp"
#include "jobs/store/sqlite_tables.hpp"

namespace troupe {

std::unique_ptr<store_tables> read_tables(const store_place& at) {
  return at.is_file() ? read_sqlite_tables(at.file) : read_postgres_tables(at.database);
}

std::unique_ptr<store_tables> make_tables(const store_place& at) {
  return at.is_file() ? make_sqlite_tables(at.file) : make_postgres_tables(at.database);
}

} // namespace troupe
