#include "jobs/store/sqlite_tables.hpp"

#include "jobs/store/sqlite_file.hpp"

#include <map>

namespace troupe {

namespace {

store_value value_of(const SQLite::Column& column) {
  if (column.isInteger())
    return column.getInt64();
  return column.getString();
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

class sqlite_tables : public store_tables {
public:
  sqlite_tables(const std::filesystem::path& file, SQLite::Database db)
    : file_(file), db_(std::move(db)) {}

  std::vector<std::string> damage() override {
    std::vector<std::string> wrong;
    try {
      SQLite::Statement whole_file{db_, "PRAGMA integrity_check"};
      while (whole_file.executeStep())
        if (const auto line = whole_file.getColumn(0).getString(); line != "ok")
          wrong.push_back("the file is damaged: " + line);
      SQLite::Statement keys{db_, "PRAGMA foreign_key_check"};
      while (keys.executeStep())
        wrong.push_back("a row belongs to no job: in " + keys.getColumn(0).getString());
    } catch (const SQLite::Exception& e) {
      wrong.push_back(std::string{"the file cannot be read: "} + e.what());
    }
    return wrong;
  }

  void select(const std::string& sql, const std::function<void(const store_values&)>& take) override
    try {
    SQLite::Statement rows{db_, sql};
    while (rows.executeStep()) {
      store_values values;
      for (int i = 0; i < rows.getColumnCount(); ++i)
        values.push_back(value_of(rows.getColumn(i)));
      take(values);
    }
  } catch (const SQLite::Exception& e) {
    throw store_refused{file_.string() + ": cannot be read: " + e.what()};
  }

  void insert(const store_table&, const store_values&) override {
    throw std::logic_error{"a store that is read"};
  }
  void commit() override {}

protected:
  SQLite::Database& db() { return db_; }
  const std::filesystem::path& file() const { return file_; }

private:
  std::filesystem::path file_;
  SQLite::Database db_;
};

/// The lock is held until the file is closed.
class new_sqlite_tables final : private store_lock, public sqlite_tables {
public:
  explicit new_sqlite_tables(const std::filesystem::path& file)
    : store_lock(file), sqlite_tables(file, open_for_writing(file, true)) {
    db().exec("BEGIN IMMEDIATE");
  }

  ~new_sqlite_tables() override {
    if (committed_)
      return;
    std::error_code ignored;
    for (const auto* end : {"", "-wal", "-shm"})
      std::filesystem::remove(file().string() + end, ignored);
  }

  void insert(const store_table& into, const store_values& row) override try {
    auto& statement = statement_for(into);
    statement.reset();
    for (std::size_t i = 0; i < row.size(); ++i)
      std::visit([&](const auto& v) { statement.bind(static_cast<int>(i) + 1, v); }, row[i]);
    statement.exec();
  } catch (const SQLite::Exception& e) {
    throw store_refused{"cannot be written: " + first_line(e.what())};
  }

  void commit() override try {
    db().exec("COMMIT");
    committed_ = true;
  } catch (const SQLite::Exception& e) {
    throw store_refused{"cannot be written: " + first_line(e.what())};
  }

private:
  SQLite::Statement& statement_for(const store_table& table) {
    const auto known = inserts_.find(table.name);
    if (known != inserts_.end())
      return known->second;
    std::string marks;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      marks += i == 0 ? "?" : ",?";
    return inserts_
      .try_emplace(table.name, db(),
                   "INSERT INTO " + std::string{table.name} + " VALUES(" + marks + ')')
      .first->second;
  }

  bool committed_ = false;
  std::map<std::string_view, SQLite::Statement> inserts_;
};

} // namespace

std::unique_ptr<store_tables> read_sqlite_tables(const std::filesystem::path& file) {
  auto db = open_for_reading(file);
  try {
    db.exec("BEGIN"); // all tables as of one instant
  } catch (const SQLite::Exception& e) {
    throw store_refused{file.string() + ": cannot be read: " + e.what()};
  }
  return std::make_unique<sqlite_tables>(file, std::move(db));
}

std::unique_ptr<store_tables> make_sqlite_tables(const std::filesystem::path& file) {
  if (std::filesystem::exists(file))
    throw store_refused{file.string() + ": exists; expected the name of a new store"};
  return std::make_unique<new_sqlite_tables>(file);
}

} // namespace troupe
