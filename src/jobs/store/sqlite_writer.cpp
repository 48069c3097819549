#include "jobs/store/sqlite_writer.hpp"

#include "jobs/store/job_database.hpp"
#include "jobs/store/sqlite_file.hpp"

#include <sqlite3.h>

namespace troupe {

namespace {

std::string owned(std::string_view name) {
  return std::string{name};
}

} // namespace

sqlite_writer::sqlite_writer(SQLite::Database& to)
  : db_(to),
    begin_(to, "BEGIN IMMEDIATE"),
    end_(to, "COMMIT"),
    new_job_(to, "INSERT INTO jobs VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
    job_(to, "UPDATE jobs SET priority=?, state=?, running=?, succeeded=?, failed=?, cancelled=?,"
             " reason=?, started_ms=?, finished_ms=?, cancel_ms=? WHERE id=?"),
    submission_(to, "INSERT INTO submissions VALUES(?,?,?)"),
    group_(to, "INSERT OR REPLACE INTO groups VALUES(?,?,?,?,?,?,?,?,?,?)"),
    task_(to, "INSERT OR REPLACE INTO tasks VALUES(?,?,?,?,?,?,?,?)"),
    attempt_(to, "INSERT OR REPLACE INTO attempts VALUES"
                 "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
    policy_(to, "INSERT OR REPLACE INTO policies VALUES(?,?,?,?)"),
    machine_(to, "INSERT OR REPLACE INTO machines VALUES(?,?,?,?,?,?,?,?)"),
    forget_machines_(to, "DELETE FROM machines WHERE until_ms > 0 AND until_ms < ?"),
    forget_(to, "DELETE FROM jobs WHERE id=?"),
    mark_(to, "INSERT OR REPLACE INTO meta VALUES(?,?)") {}

void sqlite_writer::commit(const store_batch& changes) {
  try {
    begin_.reset();
    begin_.exec();
    write(changes);
    end_.reset();
    end_.exec();
  } catch (const SQLite::Exception& e) {
    const auto code = e.getErrorCode();
    // A statement that failed and was not reset would keep the failed state of the file.
    for (auto* statement : {&begin_, &end_, &new_job_, &job_, &submission_, &group_, &task_,
                            &attempt_, &policy_, &machine_, &forget_machines_, &forget_, &mark_})
      statement->tryReset();
    try {
      if (sqlite3_get_autocommit(db_.getHandle()) == 0)
        db_.exec("ROLLBACK");
    } catch (const SQLite::Exception& again) {
      throw store_broken{std::string{"the store cannot take back a change: "} + again.what()};
    }
    if (code == SQLITE_FULL)
      throw store_full{std::string{"the store is full: "} + e.what()};
    if (code == SQLITE_BUSY)
      throw store_away{std::string{"another process has locked the store: "} + e.what()};
    throw store_broken{std::string{"the store cannot be written: "} + e.what()};
  }
}

void sqlite_writer::write(const store_batch& changes) {
  for (const auto& row : changes.jobs)
    put(row);
  for (const auto& s : changes.submissions) {
    bind_all(submission_, s.tenant, s.key, whole(s.job));
    submission_.exec();
  }
  for (const auto& row : changes.groups)
    put(row);
  for (const auto& row : changes.tasks)
    put(row);
  for (const auto& row : changes.attempts)
    put(row);
  for (const auto& row : changes.policies)
    put(row);
  for (const auto& row : changes.machines)
    put(row);
  if (changes.machines_before_ms) {
    bind_all(forget_machines_, *changes.machines_before_ms);
    forget_machines_.exec();
  }
  for (const auto id : changes.forgotten) {
    bind_all(forget_, whole(id));
    forget_.exec();
  }
  const auto mark = [&](const char* name, const std::optional<std::uint64_t>& value) {
    if (value) {
      bind_all(mark_, name, whole(*value));
      mark_.exec();
    }
  };
  mark("next_job", changes.next_job);
  mark("next_scheduler_job", changes.next_scheduler_job);
}

void sqlite_writer::put(const job_row& r) {
  const auto& n = r.counts;
  if (r.spec.empty()) {
    bind_all(job_, r.priority, owned(name_of(r.state)), n.running, n.succeeded, n.failed,
             n.cancelled, r.reason, r.started_ms, r.finished_ms, r.cancel_ms, whole(r.id));
    job_.exec();
    return;
  }
  bind_all(new_job_, whole(r.id), r.name, r.tenant, r.priority, owned(name_of(r.state)), r.tasks,
           n.running, n.succeeded, n.failed, n.cancelled, r.reason, r.submitted_ms, r.started_ms,
           r.finished_ms, r.cancel_ms, r.spec);
  new_job_.exec();
}

void sqlite_writer::put(const group_row& r) {
  const auto& n = r.counts;
  bind_all(group_, whole(r.job), r.number, r.first_task, r.tasks, owned(name_of(r.rest)),
           r.rest_reason, n.running, n.succeeded, n.failed, n.cancelled);
  group_.exec();
}

void sqlite_writer::put(const task_row& r) {
  bind_all(task_, whole(r.job), r.task, r.group, owned(name_of(r.state)), r.attempts, r.retries,
           r.losses, r.reason);
  task_.exec();
}

void sqlite_writer::put(const attempt_row& r) {
  const auto& e = r.end;
  const auto flag = [](bool b) { return b ? 1 : 0; };
  bind_all(attempt_, whole(r.which.job), r.which.task, r.which.attempt, r.node, whole(r.boot),
           r.machine_state, r.granted_ms, flag(r.open), flag(r.lost), owned(name_of(e.reason)),
           e.exit_code, e.signal, flag(e.core), flag(e.oom), e.started_ns, e.ended_ns, e.user_us,
           e.system_us, e.max_rss_bytes, whole(e.out_bytes), whole(e.err_bytes), e.detail);
  attempt_.exec();
}

void sqlite_writer::put(const ordered_policy_row& r) {
  bind_all(policy_, r.scheduler, r.at_ns, r.policy, r.settings);
  policy_.exec();
}

void sqlite_writer::put(const machine_row& r) {
  bind_all(machine_, r.node, r.since_ms, r.until_ms, r.cpu_milli, r.memory_mib, r.gpu_milli,
           r.slots, r.attributes);
  machine_.exec();
}

} // namespace troupe
