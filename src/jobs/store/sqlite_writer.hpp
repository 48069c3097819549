#pragma once

#include "jobs/store/rows.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

namespace troupe {

/// Writes batches by prepared statements.
class sqlite_writer {
public:
  explicit sqlite_writer(SQLite::Database& to);

  /// Writes a batch in one transaction. Throws `store_full` or `store_broken`.
  void commit(const store_batch& changes);

private:
  void write(const store_batch& changes);
  void put(const job_row& row);
  void put(const group_row& row);
  void put(const task_row& row);
  void put(const attempt_row& row);
  void put(const ordered_policy_row& row);
  void put(const machine_row& row);

  SQLite::Database& db_;
  SQLite::Statement begin_;
  SQLite::Statement end_;
  SQLite::Statement new_job_;
  SQLite::Statement job_;
  SQLite::Statement submission_;
  SQLite::Statement group_;
  SQLite::Statement task_;
  SQLite::Statement attempt_;
  SQLite::Statement policy_;
  SQLite::Statement machine_;
  SQLite::Statement forget_machines_;
  SQLite::Statement forget_;
  SQLite::Statement mark_;
};

} // namespace troupe
