#include "jobs/store/store_tools.hpp"

#include "jobs/store/job_database.hpp"
#include "jobs/store/store_tables.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <istream>
#include <ostream>

namespace troupe {

namespace {

using ordered = nlohmann::ordered_json;

constexpr const char* version_key = "troupe_store";
/// The last line has the number of rows. Exports of earlier versions have none, and do not say so.
constexpr const char* has_end_key = "has_end";
constexpr const char* end_key = "rows";

std::string columns_of(const store_table& table) {
  std::string text;
  for (const auto& c : table.columns)
    text += (text.empty() ? "" : ", ") + std::string{c.name};
  return text;
}

/// What has to be empty, with the message for each row.
struct consistency_check {
  const char* what;
  const char* sql;
};

constexpr consistency_check checks[] = {
  {"the counters of a job differ from those of its groups: job",
   "SELECT j.id FROM jobs j LEFT JOIN (SELECT job, SUM(tasks) AS t, SUM(running) AS r,"
   " SUM(succeeded) AS s, SUM(failed) AS f, SUM(cancelled) AS c FROM groups GROUP BY job) g"
   " ON g.job = j.id WHERE g.job IS NULL OR j.tasks <> g.t OR j.running <> g.r OR"
   " j.succeeded <> g.s OR j.failed <> g.f OR j.cancelled <> g.c ORDER BY j.id"},
  {"the counters of a group differ from its tasks: job.group",
   "SELECT g.job || '.' || g.number FROM groups g LEFT JOIN (SELECT job, grp, COUNT(*) AS n,"
   " SUM(CASE state WHEN 'running' THEN 1 ELSE 0 END) AS r,"
   " SUM(CASE state WHEN 'succeeded' THEN 1 ELSE 0 END) AS s,"
   " SUM(CASE state WHEN 'failed' THEN 1 ELSE 0 END) AS f,"
   " SUM(CASE state WHEN 'cancelled' THEN 1 ELSE 0 END) AS c FROM tasks GROUP BY job, grp) t"
   " ON t.job = g.job AND t.grp = g.number WHERE g.running <> COALESCE(t.r, 0) OR"
   " g.succeeded <> COALESCE(t.s, 0) OR g.failed <> COALESCE(t.f, 0) OR"
   " g.cancelled <> COALESCE(t.c, 0) + CASE g.rest WHEN 'cancelled' THEN"
   " g.tasks - COALESCE(t.n, 0) ELSE 0 END ORDER BY g.job, g.number"},
  {"a task is said to run, and has no open attempt, or the other way round: job.task",
   "SELECT t.job || '.' || t.task FROM tasks t WHERE (t.state = 'running') <> EXISTS (SELECT 1"
   " FROM attempts a WHERE a.job = t.job AND a.task = t.task AND a.attempt = t.attempts AND"
   " a.open = 1) ORDER BY t.job, t.task"},
  {"an attempt that is not the latest is open: job.task.attempt",
   "SELECT a.job || '.' || a.task || '.' || a.attempt FROM attempts a LEFT JOIN tasks t ON"
   " t.job = a.job AND t.task = a.task WHERE a.open = 1 AND a.attempt <> COALESCE(t.attempts, 0)"
   " ORDER BY a.job, a.task"},
  {"a job is over, and tasks of it are not, or the other way round: job",
   "SELECT id FROM jobs WHERE (finished_ms > 0) <> (succeeded + failed + cancelled = tasks)"
   " ORDER BY id"},
  {"an order for a policy is not whole: scheduler",
   "SELECT scheduler FROM policies WHERE scheduler < 0 OR at_ns <= 0 OR policy = '' OR"
   " settings NOT LIKE '[%]' ORDER BY scheduler"},
  {"a machine leaves before it comes: node",
   "SELECT node FROM machines WHERE until_ms <> 0 AND until_ms < since_ms ORDER BY node"},
  {"a machine is there twice: node",
   "SELECT node FROM machines WHERE until_ms = 0 GROUP BY node HAVING COUNT(*) > 1 ORDER BY node"},
};

std::string text_of(const store_value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : std::to_string(std::get<std::int64_t>(value));
}

std::uint64_t* counter_of(store_counts& counts, std::string_view table) {
  return table == "jobs"       ? &counts.jobs
         : table == "tasks"    ? &counts.tasks
         : table == "attempts" ? &counts.attempts
                               : nullptr;
}

void count(store_counts& counts, std::string_view table) {
  if (auto* const n = counter_of(counts, table))
    ++*n;
}

[[noreturn]] void refuse_line(const std::string& why) {
  throw store_refused{why};
}

ordered read_line(const std::string& text) {
  auto line = ordered::parse(text, nullptr, false);
  if (!line.is_object())
    refuse_line("is no JSON object");
  return line;
}

/// Returns whether the export has a last line.
bool check_version(const std::string& text) {
  const auto line = read_line(text);
  const auto version = line.find(version_key);
  if (version == line.end() || !version->is_number_integer())
    refuse_line("is not the first one of 'troupe store export'");
  // Each version has all that the ones before had, and more.
  if (*version < 1 || *version > store_version)
    refuse_line("has version " + version->dump() +
                " of the schema; this program knows up to version " +
                std::to_string(store_version));
  const auto has_end = line.find(has_end_key);
  return has_end != line.end() && *has_end == true;
}

const store_table& table_of(const ordered& line) {
  const auto name = line.find("table");
  const auto& all = store_table_list();
  const auto found = std::ranges::find_if(all, [&](const store_table& t) {
    return name != line.end() && name->is_string() && name->get_ref<const std::string&>() == t.name;
  });
  if (found == all.end() || line.size() != found->columns.size() + 1)
    refuse_line("is no row of a table");
  return *found;
}

store_values values_of(const store_table& table, const ordered& line) {
  store_values values;
  for (const auto& c : table.columns) {
    const auto value = line.find(std::string{c.name});
    if (value == line.end() || (c.is_text ? !value->is_string() : !value->is_number_integer()))
      refuse_line(std::string{c.name} + " is " +
                  (value == line.end() ? "missing" : value->dump().substr(0, 40)) +
                  "; expected a " + (c.is_text ? "text" : "whole number"));
    if (c.is_text)
      values.emplace_back(value->get<std::string>());
    else
      values.emplace_back(value->get<std::int64_t>());
  }
  return values;
}

} // namespace

store_check check_store(const store_place& at) {
  const auto tables = read_tables(at);
  store_check found{{}, tables->damage()};
  try {
    for (const auto& table : store_table_list())
      if (auto* const n = counter_of(found.counts, table.name))
        tables->select("SELECT COUNT(*) FROM " + std::string{table.name},
                       [&](const store_values& v) {
                         *n = static_cast<std::uint64_t>(std::get<std::int64_t>(v.at(0)));
                       });
    for (const auto& check : checks)
      tables->select(check.sql, [&](const store_values& v) {
        found.faults.push_back(std::string{check.what} + ' ' + text_of(v.at(0)));
      });
  } catch (const store_refused& e) {
    found.faults.emplace_back(e.what());
  }
  return found;
}

store_counts export_store(const store_place& at, std::ostream& out) {
  const auto tables = read_tables(at);
  store_counts counts;
  std::uint64_t rows = 0;
  out << ordered{{version_key, store_version}, {has_end_key, true}}.dump() << '\n';
  for (const auto& table : store_table_list())
    tables->select("SELECT " + columns_of(table) + " FROM " + std::string{table.name} +
                     " ORDER BY " + std::string{table.order},
                   [&](const store_values& values) {
                     ordered line{{"table", table.name}};
                     for (std::size_t i = 0; i < table.columns.size(); ++i)
                       std::visit([&](const auto& v) { line[table.columns[i].name] = v; },
                                  values.at(i));
                     out << line.dump(-1, ' ', false, ordered::error_handler_t::replace) << '\n';
                     count(counts, table.name);
                     ++rows;
                   });
  out << ordered{{end_key, rows}}.dump() << '\n';
  return counts;
}

store_counts import_store(const store_place& at, std::istream& in) {
  const auto tables = make_tables(at);
  store_counts counts;
  std::uint64_t number = 0;
  bool needs_end = false;
  try {
    for (std::string text; std::getline(in, text);) {
      if (++number == 1) {
        needs_end = check_version(text);
        continue;
      }
      const auto line = read_line(text);
      if (line.size() == 1 && line.contains(end_key)) {
        if (line[end_key] != number - 2)
          refuse_line("says that there are " + line[end_key].dump() + " rows; there are " +
                      std::to_string(number - 2));
        needs_end = false;
        continue;
      }
      const auto& table = table_of(line);
      tables->insert(table, values_of(table, line));
      count(counts, table.name);
    }
    if (number == 0)
      refuse_line("is missing; expected what 'troupe store export' writes");
    if (needs_end)
      refuse_line("is not its last one: the rest is missing");
    tables->commit();
  } catch (const store_refused& e) {
    throw store_refused{"line " + std::to_string(std::max<std::uint64_t>(number, 1)) +
                        " of the export " + e.what()};
  }
  return counts;
}

} // namespace troupe
