#pragma once

#include "jobs/store/postgres_session.hpp"
#include "jobs/store/rows.hpp"

#include <nlohmann/json.hpp>

#include <concepts>
#include <type_traits>

/// Rows of tables and their columns, in the order of the tables; internal to the store of
/// PostgreSQL.
namespace troupe {

template <class Row, class Of>
concept columns_of_row = std::same_as<std::remove_const_t<Row>, Of>;

template <columns_of_row<job_row> Row, class Visit>
void each_column(Row& r, Visit visit) {
  visit("id", r.id);
  visit("name", r.name);
  visit("tenant", r.tenant);
  visit("priority", r.priority);
  visit("state", r.state, choice_names<job_state>::value);
  visit("tasks", r.tasks);
  visit("running", r.counts.running);
  visit("succeeded", r.counts.succeeded);
  visit("failed", r.counts.failed);
  visit("cancelled", r.counts.cancelled);
  visit("reason", r.reason);
  visit("submitted_ms", r.submitted_ms);
  visit("started_ms", r.started_ms);
  visit("finished_ms", r.finished_ms);
  visit("cancel_ms", r.cancel_ms);
  visit("spec", r.spec);
}

template <columns_of_row<group_row> Row, class Visit>
void each_column(Row& r, Visit visit) {
  visit("job", r.job);
  visit("number", r.number);
  visit("first_task", r.first_task);
  visit("tasks", r.tasks);
  visit("rest", r.rest, choice_names<task_state>::value);
  visit("rest_reason", r.rest_reason);
  visit("running", r.counts.running);
  visit("succeeded", r.counts.succeeded);
  visit("failed", r.counts.failed);
  visit("cancelled", r.counts.cancelled);
}

template <columns_of_row<task_row> Row, class Visit>
void each_column(Row& r, Visit visit) {
  visit("job", r.job);
  visit("task", r.task);
  visit("grp", r.group);
  visit("state", r.state, choice_names<task_state>::value);
  visit("attempts", r.attempts);
  visit("retries", r.retries);
  visit("losses", r.losses);
  visit("reason", r.reason);
}

template <columns_of_row<attempt_row> Row, class Visit>
void each_column(Row& r, Visit visit) {
  visit("job", r.which.job);
  visit("task", r.which.task);
  visit("attempt", r.which.attempt);
  visit("node", r.node);
  visit("boot", r.boot);
  visit("machine_state", r.machine_state);
  visit("granted_ms", r.granted_ms);
  visit("open", r.open);
  visit("lost", r.lost);
  auto& e = r.end;
  visit("reason", e.reason, end_reason_names);
  visit("exit_code", e.exit_code);
  visit("signal", e.signal);
  visit("core", e.core);
  visit("oom", e.oom);
  visit("started_ns", e.started_ns);
  visit("ended_ns", e.ended_ns);
  visit("user_us", e.user_us);
  visit("system_us", e.system_us);
  visit("max_rss", e.max_rss_bytes);
  visit("out_bytes", e.out_bytes);
  visit("err_bytes", e.err_bytes);
  visit("detail", e.detail);
}

template <columns_of_row<store_batch::submission> Row, class Visit>
void each_column(Row& r, Visit visit) {
  visit("tenant", r.tenant);
  visit("key", r.key);
  visit("job", r.job);
}

template <columns_of_row<ordered_policy_row> Row, class Visit>
void each_column(Row& r, Visit visit) {
  visit("scheduler", r.scheduler);
  visit("at_ns", r.at_ns);
  visit("policy", r.policy);
  visit("settings", r.settings);
}

template <columns_of_row<machine_row> Row, class Visit>
void each_column(Row& r, Visit visit) {
  visit("node", r.node);
  visit("since_ms", r.since_ms);
  visit("until_ms", r.until_ms);
  visit("cpu", r.cpu_milli);
  visit("memory", r.memory_mib);
  visit("gpu", r.gpu_milli);
  visit("slots", r.slots);
  visit("attributes", r.attributes);
}

/// Puts columns into a JSON object.
struct column_writer {
  nlohmann::json& to;

  void operator()(const char* name, const std::string& text) { to[name] = storable(text); }
  void operator()(const char* name, std::integral auto number) {
    to[name] = static_cast<std::int64_t>(number);
  }
  template <class Names>
  void operator()(const char* name, auto value, const Names& names) {
    to[name] = names[static_cast<std::size_t>(value)];
  }
};

/// Reads columns by their position.
struct column_reader {
  const pqxx::row& from;
  pqxx::row::size_type at = 0;

  void operator()(const char*, std::string& text) { text = from[at++].c_str(); }
  template <std::integral Number>
  void operator()(const char*, Number& number) {
    number = static_cast<Number>(from[at++].as<std::int64_t>());
  }
  template <class Enum, class Names>
  void operator()(const char*, Enum& value, const Names& names) {
    const std::string_view text = from[at++].c_str();
    for (std::size_t i = 0; i < std::size(names); ++i)
      if (names[i] == text) {
        value = static_cast<Enum>(i);
        return;
      }
    throw store_broken{"the store has the unknown word '" + std::string{text} + '\''};
  }
};

template <class Row>
nlohmann::json json_of(const Row& row) {
  nlohmann::json made;
  each_column(row, column_writer{made});
  return made;
}

/// Returns a row of a query that selects all columns of its table.
template <class Row>
Row read_row(const pqxx::row& from) {
  Row made;
  each_column(made, column_reader{from});
  if constexpr (std::same_as<Row, attempt_row>)
    made.end.which = made.which;
  return made;
}

} // namespace troupe
