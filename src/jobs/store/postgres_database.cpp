#include "jobs/store/postgres_database.hpp"

#include "jobs/store/postgres_rows.hpp"
#include "jobs/store/postgres_writer.hpp"

#include <limits>
#include <map>
#include <mutex>

namespace troupe {

namespace {

/// Has the present transaction wait for the disk at its end, if it would not; and not, in tests.
const char* wait_for_disk(store_sync sync) {
  return sync == store_sync::full
           ? "set_config('synchronous_commit', CASE WHEN current_setting('synchronous_commit')"
             " IN ('off', 'local') THEN 'on' ELSE current_setting('synchronous_commit') END, true)"
           : "set_config('synchronous_commit', 'off', true)";
}

} // namespace

/// One session writes; another one only reads.
struct postgres_database::sessions {
  sessions(std::shared_ptr<keeper_lease> l, store_sync s)
    : lease(std::move(l)), sync(s), writing(lease->database()), reading(lease->database()) {}

  /// Runs a query on the reading session; returns its rows.
  template <class Row, class... Values>
  std::vector<Row> select(const std::string& sql, const Values&... values) {
    std::vector<Row> found;
    each_row([&](const pqxx::row& r) { found.push_back(read_row<Row>(r)); }, sql, values...);
    return found;
  }

  template <class Read, class... Values>
  void each_row(Read read, const std::string& sql, const Values&... values) {
    if (!lease->is_held()) // or all who ask would wait for a database that does not answer
      throw store_away{"the lease of the jobs was not renewed"};
    const std::lock_guard guard{mutex};
    reading.use([&](pqxx::connection& c) {
      pqxx::read_transaction look{c};
      for (const auto& r : look.exec_params(sql, values...))
        read(r);
    });
  }

  live_jobs::one rest_of(job_row row) {
    const auto id = whole(row.id);
    return {
      std::move(row), select<group_row>("SELECT * FROM groups WHERE job = $1 ORDER BY number", id),
      select<task_row>("SELECT * FROM tasks WHERE job = $1 ORDER BY task", id),
      select<attempt_row>("SELECT * FROM attempts WHERE job = $1 AND open = 1 ORDER BY task", id)};
  }

  std::shared_ptr<keeper_lease> lease;
  store_sync sync;
  postgres_session writing;
  std::mutex mutex; ///< for `reading`
  postgres_session reading;
};

postgres_database::postgres_database(std::shared_ptr<keeper_lease> lease, store_sync sync)
  : state_(std::make_unique<sessions>(std::move(lease), sync)) {
  if (sync == store_sync::off)
    return;
  state_->writing.use([](pqxx::connection& c) {
    pqxx::read_transaction look{c};
    for (const auto* name : {"fsync", "full_page_writes"})
      if (look.exec_params1("SELECT current_setting($1)", name)[0].as<std::string>() != "on")
        throw store_refused{std::string{"the server of the database has "} + name +
                            " = off, so it may lose what was accepted; expected on"};
  });
}

postgres_database::~postgres_database() = default;

void postgres_database::commit(const store_batch& changes) {
  const auto epoch = state_->lease->epoch();
  const bool lost = state_->writing.use([&](pqxx::connection& c) {
    pqxx::work work{c};
    const auto fence = work.exec1(std::string{"SELECT epoch, "} + wait_for_disk(state_->sync) +
                                  " FROM keeper WHERE one = 1 FOR KEY SHARE");
    if (fence[0].as<std::uint64_t>() != epoch)
      return true;
    write_batch(work, changes);
    work.commit();
    return false;
  });
  if (lost)
    state_->lease->lose();
}

bool postgres_database::is_held() const {
  return state_->lease->is_held();
}

live_jobs postgres_database::load() {
  state_->lease->begin_epoch();
  return state_->writing.use([](pqxx::connection& c) {
    pqxx::transaction<pqxx::repeatable_read, pqxx::read_only> look{c};
    live_jobs all;
    for (const auto& r : look.exec("SELECT key, value FROM meta"))
      (r[0].as<std::string>() == "next_job" ? all.next_job : all.next_scheduler_job) =
        static_cast<std::uint64_t>(r[1].as<std::int64_t>());
    std::map<std::uint64_t, std::size_t> place;
    for (const auto& r : look.exec("SELECT * FROM jobs WHERE finished_ms = 0 ORDER BY id")) {
      all.jobs.push_back({read_row<job_row>(r), {}, {}, {}});
      place[all.jobs.back().job.id] = all.jobs.size() - 1;
    }
    const auto of_live = [](const char* table, const char* order, const char* more = "") {
      return std::string{"SELECT t.* FROM "} + table +
             " t JOIN jobs j ON j.id = t.job WHERE j.finished_ms = 0" + more +
             " ORDER BY t.job, t." + order;
    };
    for (const auto& r : look.exec(of_live("groups", "number"))) {
      auto row = read_row<group_row>(r);
      all.jobs[place.at(row.job)].groups.push_back(std::move(row));
    }
    for (const auto& r : look.exec(of_live("tasks", "task"))) {
      auto row = read_row<task_row>(r);
      all.jobs[place.at(row.job)].tasks.push_back(std::move(row));
    }
    for (const auto& r : look.exec(of_live("attempts", "task", " AND t.open = 1"))) {
      auto row = read_row<attempt_row>(r);
      all.jobs[place.at(row.which.job)].open.push_back(std::move(row));
    }
    for (const auto& r : look.exec("SELECT * FROM policies ORDER BY scheduler"))
      all.policies.push_back(read_row<ordered_policy_row>(r));
    for (const auto& r :
         look.exec("SELECT * FROM machines WHERE until_ms = 0 ORDER BY node, since_ms"))
      all.machines.push_back(read_row<machine_row>(r));
    return all;
  });
}

std::optional<live_jobs::one> postgres_database::load_job(std::uint64_t id) {
  auto row = job(id);
  if (!row)
    return std::nullopt;
  return state_->rest_of(std::move(*row));
}

std::optional<job_row> postgres_database::job(std::uint64_t id) {
  auto found = state_->select<job_row>("SELECT * FROM jobs WHERE id = $1", whole(id));
  return found.empty() ? std::nullopt : std::optional{std::move(found.front())};
}

std::optional<std::uint64_t> postgres_database::submission(const std::string& tenant,
                                                           const std::string& key) {
  std::optional<std::uint64_t> found;
  state_->each_row([&](const pqxx::row& r) { found = r[0].as<std::uint64_t>(); },
                   "SELECT job FROM submissions WHERE tenant = $1 AND key = $2", storable(tenant),
                   storable(key));
  return found;
}

std::vector<job_row> postgres_database::jobs(const job_filter& filter, std::uint64_t before,
                                             std::size_t limit) {
  // Each condition stands on its own, so that the plan can use its index.
  std::string sql = "SELECT id, name, tenant, priority, state, tasks, running, succeeded, failed,"
                    " cancelled, reason, submitted_ms, started_ms, finished_ms, cancel_ms, ''"
                    " FROM jobs WHERE id < $1 AND $2::text IS NOT NULL AND $3::text IS NOT NULL"
                    " AND $4::text IS NOT NULL";
  if (filter.live_only)
    sql += " AND finished_ms = 0";
  if (filter.state)
    sql += " AND state = $2";
  if (!filter.tenant.empty())
    sql += " AND tenant = $3";
  if (!filter.name.empty())
    sql += " AND name = $4";
  return state_->select<job_row>(sql + " ORDER BY id DESC LIMIT $5",
                                 before == 0 ? std::numeric_limits<std::int64_t>::max()
                                             : whole(before),
                                 std::string{filter.state ? name_of(*filter.state) : ""},
                                 storable(filter.tenant), storable(filter.name), whole(limit));
}

std::vector<group_row> postgres_database::groups(std::uint64_t job) {
  return state_->select<group_row>("SELECT * FROM groups WHERE job = $1 ORDER BY number",
                                   whole(job));
}

std::vector<task_row> postgres_database::tasks(std::uint64_t job, std::uint32_t from,
                                               std::uint32_t to, std::optional<task_state> state,
                                               std::size_t limit) {
  const std::string range = "SELECT * FROM tasks WHERE job = $1 AND task >= $2 AND task < $3";
  if (state)
    return state_->select<task_row>(range + " AND state = $5 ORDER BY task LIMIT $4", whole(job),
                                    std::int64_t{from}, std::int64_t{to}, whole(limit),
                                    std::string{name_of(*state)});
  return state_->select<task_row>(range + " ORDER BY task LIMIT $4", whole(job), std::int64_t{from},
                                  std::int64_t{to}, whole(limit));
}

std::vector<attempt_row> postgres_database::attempts(std::uint64_t job, std::uint32_t task) {
  return state_->select<attempt_row>(
    "SELECT * FROM attempts WHERE job = $1 AND task = $2 ORDER BY attempt", whole(job),
    std::int64_t{task});
}

std::vector<machine_row> postgres_database::machines(std::int64_t since_ms) {
  return state_->select<machine_row>(
    "SELECT * FROM machines WHERE until_ms = 0 OR until_ms >= $1 ORDER BY since_ms, node",
    since_ms);
}

std::vector<std::uint64_t> postgres_database::finished_before(std::int64_t before_ms,
                                                              std::size_t keep, std::size_t limit) {
  std::vector<std::uint64_t> found;
  state_->each_row(
    [&](const pqxx::row& r) { found.push_back(r[0].as<std::uint64_t>()); },
    "SELECT id FROM jobs WHERE finished_ms > 0 AND finished_ms < $1 AND id NOT IN"
    " (SELECT id FROM jobs WHERE finished_ms > 0 ORDER BY finished_ms DESC, id DESC LIMIT $2)"
    " ORDER BY finished_ms, id LIMIT $3",
    before_ms, whole(keep), whole(limit));
  return found;
}

} // namespace troupe
