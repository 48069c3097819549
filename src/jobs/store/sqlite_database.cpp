#include "jobs/store/sqlite_database.hpp"

#include "jobs/store/sqlite_rows.hpp"
#include "jobs/store/sqlite_writer.hpp"

#include <mutex>
#include <sqlite3.h>

namespace troupe {

/// One connection writes, and checkpoints; another one only reads.
struct sqlite_database::connections {
  connections(const std::filesystem::path& file, bool wait_for_disk)
    : lock(file),
      writing(open_for_writing(file, wait_for_disk)),
      writer(writing),
      reading(open_for_reading(file)) {}

  /// Runs a query on the reading connection; `read(statement)` for each row.
  template <class Read, class... Values>
  void select(const std::string& sql, Read read, const Values&... values) {
    const std::lock_guard guard{mutex};
    try {
      SQLite::Statement statement{reading, sql};
      bind_all(statement, values...);
      while (statement.executeStep())
        read(statement);
    } catch (const SQLite::Exception& e) {
      if (e.getErrorCode() == SQLITE_BUSY)
        throw store_away{std::string{"another process has locked the store: "} + e.what()};
      throw store_broken{std::string{"the store cannot be read: "} + e.what()};
    }
  }

  live_jobs::one rest_of(job_row row) {
    live_jobs::one one{std::move(row), {}, {}, {}};
    const auto id = whole(one.job.id);
    select(
      "SELECT * FROM groups WHERE job=? ORDER BY number",
      [&](SQLite::Statement& s) { one.groups.push_back(group_of(s)); }, id);
    select(
      "SELECT * FROM tasks WHERE job=? ORDER BY task",
      [&](SQLite::Statement& s) { one.tasks.push_back(task_of(s)); }, id);
    select(
      "SELECT * FROM attempts WHERE job=? AND open=1 ORDER BY task",
      [&](SQLite::Statement& s) { one.open.push_back(attempt_of(s)); }, id);
    return one;
  }

  store_lock lock;
  SQLite::Database writing;
  sqlite_writer writer;
  std::mutex mutex; ///< for `reading`
  SQLite::Database reading;
};

sqlite_database::sqlite_database(const std::filesystem::path& file, store_sync sync)
  : state_(std::make_unique<connections>(file, sync == store_sync::full)) {}

sqlite_database::~sqlite_database() = default;

void sqlite_database::commit(const store_batch& changes) {
  state_->writer.commit(changes);
}

void sqlite_database::limit_pages(std::uint32_t pages) {
  state_->writing.exec("PRAGMA max_page_count = " +
                       std::to_string(pages == 0 ? 1'073'741'823U : pages));
}

live_jobs sqlite_database::load() {
  live_jobs all;
  state_->select("SELECT key, value FROM meta", [&](SQLite::Statement& s) {
    const auto key = s.getColumn(0).getString();
    (key == "next_job" ? all.next_job : all.next_scheduler_job) = number_at(s, 1);
  });
  state_->select("SELECT * FROM jobs WHERE finished_ms = 0 ORDER BY id", [&](SQLite::Statement& s) {
    all.jobs.push_back({job_of(s), {}, {}, {}});
  });
  for (auto& one : all.jobs)
    one = state_->rest_of(std::move(one.job));
  state_->select("SELECT * FROM policies ORDER BY scheduler",
                 [&](SQLite::Statement& s) { all.policies.push_back(policy_of(s)); });
  state_->select("SELECT * FROM machines WHERE until_ms = 0 ORDER BY node, since_ms",
                 [&](SQLite::Statement& s) { all.machines.push_back(machine_of(s)); });
  return all;
}

std::optional<live_jobs::one> sqlite_database::load_job(std::uint64_t id) {
  auto row = job(id);
  if (!row)
    return std::nullopt;
  return state_->rest_of(std::move(*row));
}

std::optional<job_row> sqlite_database::job(std::uint64_t id) {
  std::optional<job_row> found;
  state_->select(
    "SELECT * FROM jobs WHERE id=?", [&](SQLite::Statement& s) { found = job_of(s); }, whole(id));
  return found;
}

std::optional<std::uint64_t> sqlite_database::submission(const std::string& tenant,
                                                         const std::string& key) {
  std::optional<std::uint64_t> found;
  state_->select(
    "SELECT job FROM submissions WHERE tenant=? AND key=?",
    [&](SQLite::Statement& s) { found = number_at(s, 0); }, tenant, key);
  return found;
}

std::vector<job_row> sqlite_database::jobs(const job_filter& filter, std::uint64_t before,
                                           std::size_t limit) {
  std::string sql = "SELECT id, name, tenant, priority, state, tasks, running, succeeded, failed,"
                    " cancelled, reason, submitted_ms, started_ms, finished_ms, cancel_ms, ''"
                    " FROM jobs WHERE id < ?1";
  if (filter.live_only)
    sql += " AND finished_ms = 0";
  if (filter.state)
    sql += " AND state = ?2";
  if (!filter.tenant.empty())
    sql += " AND tenant = ?3";
  if (!filter.name.empty())
    sql += " AND name = ?4";
  sql += " AND ?2 = ?2 AND ?3 = ?3 AND ?4 = ?4 ORDER BY id DESC LIMIT ?5";
  std::vector<job_row> found;
  state_->select(
    sql, [&](SQLite::Statement& s) { found.push_back(job_of(s)); },
    before == 0 ? std::numeric_limits<std::int64_t>::max() : whole(before),
    std::string{filter.state ? name_of(*filter.state) : ""}, filter.tenant, filter.name,
    whole(limit));
  return found;
}

std::vector<group_row> sqlite_database::groups(std::uint64_t job) {
  std::vector<group_row> found;
  state_->select(
    "SELECT * FROM groups WHERE job=? ORDER BY number",
    [&](SQLite::Statement& s) { found.push_back(group_of(s)); }, whole(job));
  return found;
}

std::vector<task_row> sqlite_database::tasks(std::uint64_t job, std::uint32_t from,
                                             std::uint32_t to, std::optional<task_state> state,
                                             std::size_t limit) {
  std::vector<task_row> found;
  const auto keep = [&](SQLite::Statement& s) { found.push_back(task_of(s)); };
  const std::string range = "SELECT * FROM tasks WHERE job=? AND task>=? AND task<?";
  const std::string order = " ORDER BY task LIMIT ?";
  if (state)
    state_->select(range + " AND state=?" + order, keep, whole(job), from, to,
                   std::string{name_of(*state)}, whole(limit));
  else
    state_->select(range + order, keep, whole(job), from, to, whole(limit));
  return found;
}

std::vector<attempt_row> sqlite_database::attempts(std::uint64_t job, std::uint32_t task) {
  std::vector<attempt_row> found;
  state_->select(
    "SELECT * FROM attempts WHERE job=? AND task=? ORDER BY attempt",
    [&](SQLite::Statement& s) { found.push_back(attempt_of(s)); }, whole(job), task);
  return found;
}

std::vector<machine_row> sqlite_database::machines(std::int64_t since_ms) {
  std::vector<machine_row> found;
  state_->select(
    "SELECT * FROM machines WHERE until_ms = 0 OR until_ms >= ? ORDER BY since_ms, node",
    [&](SQLite::Statement& s) { found.push_back(machine_of(s)); }, since_ms);
  return found;
}

std::vector<std::uint64_t> sqlite_database::finished_before(std::int64_t before_ms,
                                                            std::size_t keep, std::size_t limit) {
  std::vector<std::uint64_t> found;
  state_->select(
    "SELECT id FROM jobs WHERE finished_ms > 0 AND finished_ms < ?1 AND id NOT IN"
    " (SELECT id FROM jobs WHERE finished_ms > 0 ORDER BY finished_ms DESC, id DESC LIMIT ?2)"
    " ORDER BY finished_ms, id LIMIT ?3",
    [&](SQLite::Statement& s) { found.push_back(number_at(s, 0)); }, before_ms, whole(keep),
    whole(limit));
  return found;
}

} // namespace troupe
