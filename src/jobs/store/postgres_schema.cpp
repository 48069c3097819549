#include "jobs/store/postgres_schema.hpp"

#include "jobs/store/store_tables.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Held while the tables are made: "TRPE".
constexpr const char* lock_schema = "SELECT pg_advisory_xact_lock(1414680645)";

bool is_there(pqxx::transaction_base& in, const char* table) {
  return !in.exec_params1("SELECT to_regclass($1)", table)[0].is_null();
}

std::string setting(pqxx::transaction_base& in, const char* name) {
  return in.exec_params1("SELECT current_setting($1)", name)[0].as<std::string>();
}

/// Returns the version of the tables; 0: there are none.
int version_of(pqxx::transaction_base& in) {
  if (is_there(in, "troupe_store"))
    return in.exec1("SELECT version FROM troupe_store")[0].as<int>();
  for (const auto& table : store_table_list())
    if (is_there(in, std::string{table.name}.c_str()))
      throw store_refused{"the database has a table named " + std::string{table.name} +
                          " that is not of a store of Troupe; expected a database of its own"};
  return 0;
}

void check_version(int version) {
  if (version > store_version)
    throw store_refused{"the store has version " + std::to_string(version) +
                        " of the schema; this program knows up to version " +
                        std::to_string(store_version) + "; expected a newer program"};
}

void check_encoding(pqxx::transaction_base& in) {
  if (const auto encoding = setting(in, "server_encoding"); encoding != "UTF8")
    throw store_refused{"the database has the encoding " + encoding + "; expected UTF8"};
}

void bring_up_to_date(pqxx::transaction_base& in, int version) {
  const auto& steps = postgres_steps();
  for (auto v = static_cast<std::size_t>(version); v < steps.size(); ++v)
    in.exec(std::string{steps[v]});
  in.exec_params("UPDATE troupe_store SET version = $1", store_version);
}

} // namespace

const std::vector<std::string_view>& postgres_steps() {
  static const std::vector<std::string_view> steps{R"(
CREATE TABLE troupe_store(version INTEGER NOT NULL);
INSERT INTO troupe_store VALUES(0);
CREATE TABLE keeper(
  one INTEGER PRIMARY KEY CHECK(one = 1), epoch BIGINT NOT NULL, term BIGINT NOT NULL,
  holder TEXT NOT NULL, node TEXT NOT NULL, address TEXT NOT NULL, page TEXT NOT NULL, expires TIMESTAMPTZ NOT NULL);
INSERT INTO keeper VALUES(1, 0, 0, '', '', '', '', '-infinity');
CREATE TABLE meta(key TEXT COLLATE "C" PRIMARY KEY, value BIGINT NOT NULL);
CREATE TABLE jobs(
  id BIGINT PRIMARY KEY, name TEXT COLLATE "C" NOT NULL, tenant TEXT COLLATE "C" NOT NULL,
  priority BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK(state IN
    ('queued','running','stopping','succeeded','failed','cancelled')),
  tasks BIGINT NOT NULL, running BIGINT NOT NULL, succeeded BIGINT NOT NULL,
  failed BIGINT NOT NULL, cancelled BIGINT NOT NULL, reason TEXT NOT NULL,
  submitted_ms BIGINT NOT NULL, started_ms BIGINT NOT NULL, finished_ms BIGINT NOT NULL,
  cancel_ms BIGINT NOT NULL, spec TEXT NOT NULL,
  CHECK((finished_ms = 0) = (state IN ('queued','running','stopping')))) WITH (fillfactor = 70);
CREATE INDEX jobs_live ON jobs(id) WHERE finished_ms = 0;
CREATE INDEX jobs_over ON jobs(finished_ms, id) WHERE finished_ms > 0;
CREATE TABLE submissions(
  tenant TEXT COLLATE "C" NOT NULL, key TEXT COLLATE "C" NOT NULL,
  job BIGINT NOT NULL REFERENCES jobs ON DELETE CASCADE, PRIMARY KEY(tenant, key));
CREATE INDEX submissions_job ON submissions(job);
CREATE TABLE groups(
  job BIGINT NOT NULL REFERENCES jobs ON DELETE CASCADE, number BIGINT NOT NULL,
  first_task BIGINT NOT NULL, tasks BIGINT NOT NULL,
  rest TEXT NOT NULL CHECK(rest IN ('waiting','queued','cancelled')), rest_reason TEXT NOT NULL,
  running BIGINT NOT NULL, succeeded BIGINT NOT NULL, failed BIGINT NOT NULL,
  cancelled BIGINT NOT NULL, PRIMARY KEY(job, number)) WITH (fillfactor = 70);
CREATE TABLE tasks(
  job BIGINT NOT NULL REFERENCES jobs ON DELETE CASCADE, task BIGINT NOT NULL,
  grp BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK(state IN
    ('waiting','queued','running','succeeded','failed','cancelled')),
  attempts BIGINT NOT NULL, retries BIGINT NOT NULL, losses BIGINT NOT NULL,
  reason TEXT NOT NULL, PRIMARY KEY(job, task)) WITH (fillfactor = 70);
CREATE TABLE attempts(
  job BIGINT NOT NULL REFERENCES jobs ON DELETE CASCADE, task BIGINT NOT NULL,
  attempt BIGINT NOT NULL, node TEXT NOT NULL, boot BIGINT NOT NULL,
  machine_state TEXT NOT NULL, granted_ms BIGINT NOT NULL, open BIGINT NOT NULL,
  lost BIGINT NOT NULL, reason TEXT NOT NULL, exit_code BIGINT NOT NULL,
  signal BIGINT NOT NULL, core BIGINT NOT NULL, oom BIGINT NOT NULL,
  started_ns BIGINT NOT NULL, ended_ns BIGINT NOT NULL, user_us BIGINT NOT NULL,
  system_us BIGINT NOT NULL, max_rss BIGINT NOT NULL, out_bytes BIGINT NOT NULL,
  err_bytes BIGINT NOT NULL, detail TEXT NOT NULL,
  PRIMARY KEY(job, task, attempt)) WITH (fillfactor = 70);
CREATE INDEX attempts_open ON attempts(job, task) WHERE open = 1;
)",
                                                   R"(
CREATE INDEX jobs_by_tenant ON jobs(tenant, id);
CREATE INDEX jobs_by_name ON jobs(name, id);
CREATE INDEX tasks_by_state ON tasks(job, state, task);
)",
                                                   R"(
CREATE TABLE policies(
  scheduler BIGINT PRIMARY KEY, at_ns BIGINT NOT NULL, policy TEXT NOT NULL,
  settings TEXT NOT NULL);
CREATE TABLE machines(
  node TEXT COLLATE "C" NOT NULL, since_ms BIGINT NOT NULL, until_ms BIGINT NOT NULL,
  cpu BIGINT NOT NULL, memory BIGINT NOT NULL, gpu BIGINT NOT NULL, slots BIGINT NOT NULL,
  attributes TEXT NOT NULL, PRIMARY KEY(node, since_ms));
)"};
  return steps;
}

void prepare_schema(pqxx::transaction_base& in) {
  in.exec(lock_schema);
  check_encoding(in);
  const auto version = version_of(in);
  check_version(version);
  if (version < store_version)
    bring_up_to_date(in, version);
}

void check_schema(pqxx::transaction_base& in) {
  const auto version = version_of(in);
  check_version(version);
  if (version == 0)
    throw store_refused{"the database has no store"};
  if (version < store_version)
    throw store_refused{"the store has an older version of the schema; expected a node of this "
                        "program to have opened it"};
}

void make_schema(pqxx::transaction_base& in) {
  in.exec(lock_schema);
  check_encoding(in);
  if (version_of(in) > 0)
    throw store_refused{"the database has a store; expected one without"};
  bring_up_to_date(in, 0);
}

} // namespace troupe
