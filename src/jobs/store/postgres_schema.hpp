#pragma once

#include "jobs/store/postgres_session.hpp"

#include <string_view>
#include <vector>

namespace troupe {

/// The SQL that brings a store of PostgreSQL from version N to N + 1, for each N from 0. Stores of
/// all versions exist: a step is never changed. Versions are those of SQLite.
const std::vector<std::string_view>& postgres_steps();

/// Makes the tables, or brings them up to date, for writing. Throws `store_refused` if there are
/// newer or foreign ones, or the database cannot keep jobs.
void prepare_schema(pqxx::transaction_base& in);

/// For reading. Throws `store_refused` if there is no store, or one of another version.
void check_schema(pqxx::transaction_base& in);

/// For a new store: makes the tables. Throws `store_refused` if there are some.
void make_schema(pqxx::transaction_base& in);

} // namespace troupe
