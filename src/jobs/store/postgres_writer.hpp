#pragma once

#include "jobs/store/postgres_session.hpp"
#include "jobs/store/rows.hpp"

namespace troupe {

/// Writes a batch, a statement for each table.
void write_batch(pqxx::transaction_base& in, const store_batch& changes);

} // namespace troupe
