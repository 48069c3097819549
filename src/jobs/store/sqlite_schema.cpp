#include "jobs/store/sqlite_schema.hpp"

namespace troupe {

const std::vector<std::string_view>& schema_steps() {
  static const std::vector<std::string_view> steps{R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE jobs(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, tenant TEXT NOT NULL, priority INTEGER NOT NULL,
  state TEXT NOT NULL CHECK(state IN
    ('queued','running','stopping','succeeded','failed','cancelled')),
  tasks INTEGER NOT NULL, running INTEGER NOT NULL, succeeded INTEGER NOT NULL,
  failed INTEGER NOT NULL, cancelled INTEGER NOT NULL, reason TEXT NOT NULL,
  submitted_ms INTEGER NOT NULL, started_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL,
  cancel_ms INTEGER NOT NULL, spec TEXT NOT NULL,
  CHECK((finished_ms = 0) = (state IN ('queued','running','stopping'))));
CREATE INDEX jobs_live ON jobs(id) WHERE finished_ms = 0;
CREATE INDEX jobs_over ON jobs(finished_ms, id) WHERE finished_ms > 0;
CREATE TABLE submissions(
  tenant TEXT NOT NULL, key TEXT NOT NULL,
  job INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  PRIMARY KEY(tenant, key)) WITHOUT ROWID;
CREATE INDEX submissions_job ON submissions(job);
CREATE TABLE groups(
  job INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE, number INTEGER NOT NULL,
  first_task INTEGER NOT NULL, tasks INTEGER NOT NULL,
  rest TEXT NOT NULL CHECK(rest IN ('waiting','queued','cancelled')), rest_reason TEXT NOT NULL,
  running INTEGER NOT NULL, succeeded INTEGER NOT NULL, failed INTEGER NOT NULL,
  cancelled INTEGER NOT NULL, PRIMARY KEY(job, number)) WITHOUT ROWID;
CREATE TABLE tasks(
  job INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE, task INTEGER NOT NULL,
  grp INTEGER NOT NULL,
  state TEXT NOT NULL CHECK(state IN
    ('waiting','queued','running','succeeded','failed','cancelled')),
  attempts INTEGER NOT NULL, retries INTEGER NOT NULL, losses INTEGER NOT NULL,
  reason TEXT NOT NULL, PRIMARY KEY(job, task)) WITHOUT ROWID;
CREATE TABLE attempts(
  job INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE, task INTEGER NOT NULL,
  attempt INTEGER NOT NULL, node TEXT NOT NULL, boot INTEGER NOT NULL,
  machine_state TEXT NOT NULL, granted_ms INTEGER NOT NULL, open INTEGER NOT NULL,
  lost INTEGER NOT NULL, reason TEXT NOT NULL, exit_code INTEGER NOT NULL,
  signal INTEGER NOT NULL, core INTEGER NOT NULL, oom INTEGER NOT NULL,
  started_ns INTEGER NOT NULL, ended_ns INTEGER NOT NULL, user_us INTEGER NOT NULL,
  system_us INTEGER NOT NULL, max_rss INTEGER NOT NULL, out_bytes INTEGER NOT NULL,
  err_bytes INTEGER NOT NULL, detail TEXT NOT NULL,
  PRIMARY KEY(job, task, attempt)) WITHOUT ROWID;
CREATE INDEX attempts_open ON attempts(job, task) WHERE open = 1;
)",
                                                   R"(
CREATE INDEX jobs_by_tenant ON jobs(tenant, id);
CREATE INDEX jobs_by_name ON jobs(name, id);
CREATE INDEX tasks_by_state ON tasks(job, state, task);
)",
                                                   R"(
CREATE TABLE policies(
  scheduler INTEGER PRIMARY KEY, at_ns INTEGER NOT NULL, policy TEXT NOT NULL,
  settings TEXT NOT NULL);
CREATE TABLE machines(
  node TEXT NOT NULL, since_ms INTEGER NOT NULL, until_ms INTEGER NOT NULL, cpu INTEGER NOT NULL,
  memory INTEGER NOT NULL, gpu INTEGER NOT NULL, slots INTEGER NOT NULL, attributes TEXT NOT NULL,
  PRIMARY KEY(node, since_ms)) WITHOUT ROWID;
)"};
  return steps;
}

} // namespace troupe
