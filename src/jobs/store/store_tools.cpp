#include "jobs/store/sqlite_database.hpp"
#include "jobs/store/sqlite_file.hpp"
#include "jobs/store/sqlite_schema.hpp"

#include <nlohmann/json.hpp>

#include <istream>
#include <ostream>

namespace troupe {

namespace {

using ordered = nlohmann::ordered_json;

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const auto w : words)
    text += (text.empty() ? "" : ", ") + std::string{w};
  return text;
}

/// What has to be empty, with the message for each row.
struct consistency_check {
  const char* what;
  const char* sql;
};

constexpr consistency_check checks[] = {
  {"the counters of a job differ from those of its groups: job",
   "SELECT j.id FROM jobs j LEFT JOIN (SELECT job, SUM(tasks) t, SUM(running) r, SUM(succeeded) s,"
   " SUM(failed) f, SUM(cancelled) c FROM groups GROUP BY job) g ON g.job = j.id"
   " WHERE (j.tasks, j.running, j.succeeded, j.failed, j.cancelled)"
   " IS NOT (g.t, g.r, g.s, g.f, g.c)"},
  {"the counters of a group differ from its tasks: job.group",
   "SELECT g.job || '.' || g.number FROM groups g LEFT JOIN (SELECT job, grp, COUNT(*) n,"
   " SUM(state = 'running') r, SUM(state = 'succeeded') s, SUM(state = 'failed') f,"
   " SUM(state = 'cancelled') c FROM tasks GROUP BY job, grp) t ON t.job = g.job AND"
   " t.grp = g.number WHERE g.running <> IFNULL(t.r, 0) OR g.succeeded <> IFNULL(t.s, 0) OR"
   " g.failed <> IFNULL(t.f, 0) OR g.cancelled <> IFNULL(t.c, 0) +"
   " (g.rest = 'cancelled') * (g.tasks - IFNULL(t.n, 0))"},
  {"a task is said to run, and has no open attempt, or the other way round: job.task",
   "SELECT t.job || '.' || t.task FROM tasks t WHERE (t.state = 'running') <> EXISTS (SELECT 1"
   " FROM attempts a WHERE a.job = t.job AND a.task = t.task AND a.attempt = t.attempts AND"
   " a.open = 1)"},
  {"an attempt that is not the latest is open: job.task.attempt",
   "SELECT a.job || '.' || a.task || '.' || a.attempt FROM attempts a LEFT JOIN tasks t ON"
   " t.job = a.job AND t.task = a.task WHERE a.open = 1 AND a.attempt IS NOT t.attempts"},
  {"a job is over, and tasks of it are not, or the other way round: job",
   "SELECT id FROM jobs WHERE (finished_ms > 0) <> (succeeded + failed + cancelled = tasks)"},
};

} // namespace

std::vector<std::string> check_store(const std::filesystem::path& file) {
  auto db = open_for_reading(file);
  std::vector<std::string> wrong;
  try {
    SQLite::Statement whole_file{db, "PRAGMA integrity_check"};
    while (whole_file.executeStep())
      if (const auto line = whole_file.getColumn(0).getString(); line != "ok")
        wrong.push_back("the file is damaged: " + line);
    SQLite::Statement keys{db, "PRAGMA foreign_key_check"};
    while (keys.executeStep())
      wrong.push_back("a row belongs to no job: in " + keys.getColumn(0).getString());
    for (const auto& check : checks) {
      SQLite::Statement rows{db, check.sql};
      while (rows.executeStep())
        wrong.push_back(std::string{check.what} + ' ' + rows.getColumn(0).getString());
    }
  } catch (const SQLite::Exception& e) {
    wrong.push_back(std::string{"the file cannot be read: "} + e.what());
  }
  return wrong;
}

void export_store(const std::filesystem::path& file, std::ostream& out) try {
  auto db = open_for_reading(file);
  db.exec("BEGIN"); // all tables as of one instant
  for (const auto& table : schema_tables()) {
    SQLite::Statement rows{db, "SELECT " + joined(table.columns) + " FROM " +
                                 std::string{table.name} + " ORDER BY " + std::string{table.order}};
    while (rows.executeStep()) {
      ordered line{{"table", table.name}};
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto value = rows.getColumn(static_cast<int>(i));
        const std::string name{table.columns[i]};
        if (value.isInteger())
          line[name] = value.getInt64();
        else
          line[name] = value.getString();
      }
      out << line.dump(-1, ' ', false, ordered::error_handler_t::replace) << '\n';
    }
  }
} catch (const SQLite::Exception& e) {
  throw store_refused{file.string() + ": cannot be read: " + e.what()};
}

void import_store(const std::filesystem::path& file, std::istream& in) {
  if (std::filesystem::exists(file))
    throw store_refused{file.string() + ": exists; expected the name of a new store"};
  const store_lock lock{file};
  std::uint64_t number = 0;
  try {
    auto db = open_for_writing(file, true);
    db.exec("BEGIN IMMEDIATE");
    for (std::string text; std::getline(in, text);) {
      ++number;
      const auto line = ordered::parse(text);
      const auto name = line.at("table").get<std::string>();
      const schema_table* table = nullptr;
      for (const auto& t : schema_tables())
        if (t.name == name)
          table = &t;
      if (table == nullptr || line.size() != table->columns.size() + 1)
        throw store_refused{"is no row of a table"};
      std::string marks;
      for (std::size_t i = 0; i < table->columns.size(); ++i)
        marks += i == 0 ? "?" : ",?";
      SQLite::Statement insert{db, "INSERT INTO " + name + '(' + joined(table->columns) +
                                     ") VALUES(" + marks + ')'};
      for (std::size_t i = 0; i < table->columns.size(); ++i) {
        const auto& value = line.at(std::string{table->columns[i]});
        if (value.is_number_integer())
          insert.bind(static_cast<int>(i) + 1, value.get<std::int64_t>());
        else
          insert.bind(static_cast<int>(i) + 1, value.get<std::string>());
      }
      insert.exec();
    }
    db.exec("COMMIT");
  } catch (const std::exception& e) {
    std::error_code ignored;
    for (const auto* end : {"", "-wal", "-shm"})
      std::filesystem::remove(file.string() + end, ignored);
    throw store_refused{"line " + std::to_string(number) + " of the export: " + e.what()};
  }
}

} // namespace troupe
