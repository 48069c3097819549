#include "jobs/store/store_tables.hpp"

namespace troupe {

namespace {

constexpr store_column text(std::string_view name) {
  return {name, true};
}

} // namespace

const std::vector<store_table>& store_table_list() {
  static const std::vector<store_table> tables{
    {"meta", {text("key"), {"value"}}, "key"},
    {"jobs",
     {{"id"},
      text("name"),
      text("tenant"),
      {"priority"},
      text("state"),
      {"tasks"},
      {"running"},
      {"succeeded"},
      {"failed"},
      {"cancelled"},
      text("reason"),
      {"submitted_ms"},
      {"started_ms"},
      {"finished_ms"},
      {"cancel_ms"},
      text("spec")},
     "id"},
    {"submissions", {text("tenant"), text("key"), {"job"}}, "tenant, key"},
    {"groups",
     {{"job"},
      {"number"},
      {"first_task"},
      {"tasks"},
      text("rest"),
      text("rest_reason"),
      {"running"},
      {"succeeded"},
      {"failed"},
      {"cancelled"}},
     "job, number"},
    {"tasks",
     {{"job"},
      {"task"},
      {"grp"},
      text("state"),
      {"attempts"},
      {"retries"},
      {"losses"},
      text("reason")},
     "job, task"},
    {"attempts",
     {{"job"},        {"task"},      {"attempt"},
      text("node"),   {"boot"},      text("machine_state"),
      {"granted_ms"}, {"open"},      {"lost"},
      text("reason"), {"exit_code"}, {"signal"},
      {"core"},       {"oom"},       {"started_ns"},
      {"ended_ns"},   {"user_us"},   {"system_us"},
      {"max_rss"},    {"out_bytes"}, {"err_bytes"},
      text("detail")},
     "job, task, attempt"},
    {"policies", {{"scheduler"}, {"at_ns"}, text("policy"), text("settings")}, "scheduler"},
    {"machines",
     {text("node"),
      {"since_ms"},
      {"until_ms"},
      {"cpu"},
      {"memory"},
      {"gpu"},
      {"slots"},
      text("attributes")},
     "node, since_ms"}};
  return tables;
}

} // namespace troupe
