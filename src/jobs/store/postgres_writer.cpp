#include "jobs/store/postgres_writer.hpp"

#include "jobs/store/postgres_rows.hpp"

namespace troupe {

namespace {

template <class Row>
std::string array_of(const std::vector<Row>& rows, auto wanted) {
  auto all = nlohmann::json::array();
  for (const auto& row : rows)
    if (wanted(row))
      all.push_back(json_of(row));
  return all.empty() ? std::string{} : all.dump();
}

/// Runs a statement whose parameter is rows of a table in JSON.
template <class Row>
void put(pqxx::transaction_base& in, const std::string& sql, const std::vector<Row>& rows,
         auto wanted) {
  if (const auto text = array_of(rows, wanted); !text.empty())
    in.exec_params(sql, text);
}

template <class Row>
void put(pqxx::transaction_base& in, const std::string& sql, const std::vector<Row>& rows) {
  put(in, sql, rows, [](const Row&) { return true; });
}

std::string rows_of(const char* table) {
  return std::string{"json_populate_recordset(NULL::"} + table + ", $1::json)";
}

std::string insert_into(const char* table) {
  return std::string{"INSERT INTO "} + table + " SELECT * FROM " + rows_of(table);
}

void mark(pqxx::transaction_base& in, const char* name, const std::optional<std::uint64_t>& value) {
  if (value)
    in.exec_params("INSERT INTO meta VALUES($1, $2) ON CONFLICT(key) DO UPDATE SET value ="
                   " EXCLUDED.value",
                   name, static_cast<std::int64_t>(*value));
}

} // namespace

void write_batch(pqxx::transaction_base& in, const store_batch& changes) {
  const auto is_new = [](const job_row& r) { return !r.spec.empty(); };
  put(in, insert_into("jobs"), changes.jobs, is_new);
  put(in,
      "UPDATE jobs AS j SET priority = v.priority, state = v.state, running = v.running,"
      " succeeded = v.succeeded, failed = v.failed, cancelled = v.cancelled, reason = v.reason,"
      " started_ms = v.started_ms, finished_ms = v.finished_ms, cancel_ms = v.cancel_ms FROM " +
        rows_of("jobs") + " AS v WHERE j.id = v.id",
      changes.jobs, std::not_fn(is_new));
  put(in, insert_into("submissions"), changes.submissions);
  put(in,
      insert_into("groups") + " ON CONFLICT(job, number) DO UPDATE SET rest = EXCLUDED.rest,"
                              " rest_reason = EXCLUDED.rest_reason, running = EXCLUDED.running,"
                              " succeeded = EXCLUDED.succeeded, failed = EXCLUDED.failed,"
                              " cancelled = EXCLUDED.cancelled",
      changes.groups);
  put(in,
      insert_into("tasks") +
        " ON CONFLICT(job, task) DO UPDATE SET state = EXCLUDED.state,"
        " attempts = EXCLUDED.attempts, retries = EXCLUDED.retries, losses = EXCLUDED.losses,"
        " reason = EXCLUDED.reason",
      changes.tasks);
  put(in,
      insert_into("attempts") +
        " ON CONFLICT(job, task, attempt) DO UPDATE SET node = EXCLUDED.node,"
        " boot = EXCLUDED.boot, machine_state = EXCLUDED.machine_state,"
        " granted_ms = EXCLUDED.granted_ms, open = EXCLUDED.open, lost = EXCLUDED.lost,"
        " reason = EXCLUDED.reason, exit_code = EXCLUDED.exit_code, signal = EXCLUDED.signal,"
        " core = EXCLUDED.core, oom = EXCLUDED.oom, started_ns = EXCLUDED.started_ns,"
        " ended_ns = EXCLUDED.ended_ns, user_us = EXCLUDED.user_us,"
        " system_us = EXCLUDED.system_us, max_rss = EXCLUDED.max_rss,"
        " out_bytes = EXCLUDED.out_bytes, err_bytes = EXCLUDED.err_bytes,"
        " detail = EXCLUDED.detail",
      changes.attempts);
  put(in,
      insert_into("policies") + " ON CONFLICT(scheduler) DO UPDATE SET at_ns = EXCLUDED.at_ns,"
                                " policy = EXCLUDED.policy, settings = EXCLUDED.settings",
      changes.policies);
  put(in,
      insert_into("machines") + " ON CONFLICT(node, since_ms) DO UPDATE SET until_ms ="
                                " EXCLUDED.until_ms",
      changes.machines);
  if (changes.machines_before_ms)
    in.exec_params("DELETE FROM machines WHERE until_ms > 0 AND until_ms < $1",
                   *changes.machines_before_ms);
  for (const auto id : changes.forgotten)
    in.exec_params("DELETE FROM jobs WHERE id = $1", static_cast<std::int64_t>(id));
  mark(in, "next_job", changes.next_job);
  mark(in, "next_scheduler_job", changes.next_scheduler_job);
}

} // namespace troupe
