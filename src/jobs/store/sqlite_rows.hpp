#pragma once

#include "jobs/store/rows.hpp"
#include "jobs/store/sqlite_file.hpp"

/// From the rows of statements that select all columns of a table.
namespace troupe {

inline job_task_counts counts_at(SQLite::Statement& s, int first) {
  return {s.getColumn(first).getUInt(), s.getColumn(first + 1).getUInt(),
          s.getColumn(first + 2).getUInt(), s.getColumn(first + 3).getUInt()};
}

inline std::uint64_t number_at(SQLite::Statement& s, int column) {
  return static_cast<std::uint64_t>(s.getColumn(column).getInt64());
}

inline job_row job_of(SQLite::Statement& s) {
  job_row r;
  r.id = number_at(s, 0);
  r.name = s.getColumn(1).getString();
  r.tenant = s.getColumn(2).getString();
  r.priority = s.getColumn(3).getInt();
  r.state = named<job_state>(choice_names<job_state>::value, s.getColumn(4));
  r.tasks = s.getColumn(5).getUInt();
  r.counts = counts_at(s, 6);
  r.reason = s.getColumn(10).getString();
  r.submitted_ms = s.getColumn(11).getInt64();
  r.started_ms = s.getColumn(12).getInt64();
  r.finished_ms = s.getColumn(13).getInt64();
  r.cancel_ms = s.getColumn(14).getInt64();
  r.spec = s.getColumn(15).getString();
  return r;
}

inline group_row group_of(SQLite::Statement& s) {
  group_row r;
  r.job = number_at(s, 0);
  r.number = s.getColumn(1).getUInt();
  r.first_task = s.getColumn(2).getUInt();
  r.tasks = s.getColumn(3).getUInt();
  r.rest = named<task_state>(choice_names<task_state>::value, s.getColumn(4));
  r.rest_reason = s.getColumn(5).getString();
  r.counts = counts_at(s, 6);
  return r;
}

inline task_row task_of(SQLite::Statement& s) {
  task_row r;
  r.job = number_at(s, 0);
  r.task = s.getColumn(1).getUInt();
  r.group = s.getColumn(2).getUInt();
  r.state = named<task_state>(choice_names<task_state>::value, s.getColumn(3));
  r.attempts = s.getColumn(4).getUInt();
  r.retries = s.getColumn(5).getUInt();
  r.losses = s.getColumn(6).getUInt();
  r.reason = s.getColumn(7).getString();
  return r;
}

inline attempt_row attempt_of(SQLite::Statement& s) {
  attempt_row r;
  r.which = {number_at(s, 0), s.getColumn(1).getUInt(), s.getColumn(2).getUInt()};
  r.node = s.getColumn(3).getString();
  r.boot = number_at(s, 4);
  r.machine_state = s.getColumn(5).getString();
  r.granted_ms = s.getColumn(6).getInt64();
  r.open = s.getColumn(7).getInt() != 0;
  r.lost = s.getColumn(8).getInt() != 0;
  auto& e = r.end;
  e.which = r.which;
  e.reason = named<end_reason>(end_reason_names, s.getColumn(9));
  e.exit_code = s.getColumn(10).getInt();
  e.signal = s.getColumn(11).getInt();
  e.core = s.getColumn(12).getInt() != 0;
  e.oom = s.getColumn(13).getInt() != 0;
  e.started_ns = s.getColumn(14).getInt64();
  e.ended_ns = s.getColumn(15).getInt64();
  e.user_us = s.getColumn(16).getInt64();
  e.system_us = s.getColumn(17).getInt64();
  e.max_rss_bytes = s.getColumn(18).getInt64();
  e.out_bytes = number_at(s, 19);
  e.err_bytes = number_at(s, 20);
  e.detail = s.getColumn(21).getString();
  return r;
}

inline ordered_policy_row policy_of(SQLite::Statement& s) {
  return {s.getColumn(0).getUInt(), s.getColumn(1).getInt64(), s.getColumn(2).getString(),
          s.getColumn(3).getString()};
}

inline machine_row machine_of(SQLite::Statement& s) {
  return {s.getColumn(0).getString(), s.getColumn(1).getInt64(), s.getColumn(2).getInt64(),
          s.getColumn(3).getInt(),    s.getColumn(4).getInt(),   s.getColumn(5).getInt(),
          s.getColumn(6).getInt(),    s.getColumn(7).getString()};
}

} // namespace troupe
