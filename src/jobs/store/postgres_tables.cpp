#include "jobs/store/postgres_tables.hpp"

#include "jobs/store/postgres_rows.hpp"
#include "jobs/store/postgres_schema.hpp"

namespace troupe {

namespace {

constexpr std::size_t rows_at_once = 500;

/// Returns what `act` does; every error of the database refuses.
template <class Act>
auto refusing(Act act) {
  try {
    return act();
  } catch (const pqxx::pqxx_exception& e) {
    throw store_refused{"the database refuses: " + line_of(e.base())};
  }
}

using snapshot = pqxx::transaction<pqxx::repeatable_read, pqxx::read_only>;

/// All in one transaction, for which the session lives.
class postgres_tables final : public store_tables {
public:
  postgres_tables(const std::string& address, bool make) : session_(address) {
    refusing([&] {
      if (make)
        in_ = std::make_unique<pqxx::work>(session_.connection());
      else
        in_ = std::make_unique<snapshot>(session_.connection());
      // A long export is no transaction that stands still.
      in_->exec("SET LOCAL idle_in_transaction_session_timeout = 0");
      make ? make_schema(*in_) : check_schema(*in_);
    });
  }

  std::vector<std::string> damage() override {
    std::vector<std::string> wrong;
    refusing([&] {
      for (const auto& table : store_table_list()) {
        if (table.columns[0].name != "job" && table.name != "submissions")
          continue;
        for (const auto& r :
             in_->exec("SELECT DISTINCT t.job FROM " + std::string{table.name} +
                       " t LEFT JOIN jobs j ON j.id = t.job WHERE j.id IS NULL ORDER BY t.job"))
          wrong.push_back("a row belongs to no job: in " + std::string{table.name} + ", job " +
                          r[0].c_str());
      }
    });
    return wrong;
  }

  void select(const std::string& sql,
              const std::function<void(const store_values&)>& take) override {
    refusing([&] {
      in_->exec("DECLARE of_rows NO SCROLL CURSOR FOR " + sql);
      const auto fetch = "FETCH " + std::to_string(rows_at_once) + " FROM of_rows";
      for (auto rows = in_->exec(fetch); !rows.empty(); rows = in_->exec(fetch))
        for (const auto& r : rows)
          take(values_of(r));
      in_->exec("CLOSE of_rows");
    });
  }

  void insert(const store_table& into, const store_values& row) override {
    if (into_ != &into)
      flush();
    into_ = &into;
    nlohmann::json line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string name{into.columns[i].name};
      if (const auto* text = std::get_if<std::string>(&row[i]))
        line[name] = storable(*text);
      else
        line[name] = std::get<std::int64_t>(row[i]);
    }
    pending_.push_back(std::move(line));
    if (pending_.size() >= rows_at_once)
      flush();
  }

  void commit() override {
    flush();
    refusing([&] { in_->commit(); });
  }

private:
  static store_values values_of(const pqxx::row& r) {
    constexpr pqxx::oid int8 = 20;
    constexpr pqxx::oid numeric = 1700;
    store_values values;
    for (const auto& field : r)
      if (field.type() == int8 || field.type() == numeric)
        values.emplace_back(field.as<std::int64_t>());
      else
        values.emplace_back(std::string{field.c_str()});
    return values;
  }

  void flush() {
    if (pending_.empty())
      return;
    const auto rows = std::exchange(pending_, nlohmann::json::array());
    const std::string name{into_->name};
    try {
      in_->exec_params("INSERT INTO " + name +
                         " SELECT * FROM json_populate_recordset(NULL::" + name + ", $1::json)",
                       rows.dump());
    } catch (const pqxx::pqxx_exception& e) {
      throw store_refused{"or one before it cannot be written: " + line_of(e.base())};
    }
  }

  postgres_session session_;
  std::unique_ptr<pqxx::transaction_base> in_;
  const store_table* into_ = nullptr;
  nlohmann::json pending_ = nlohmann::json::array();
};

} // namespace

std::unique_ptr<store_tables> read_postgres_tables(const std::string& address) {
  return std::make_unique<postgres_tables>(address, false);
}

std::unique_ptr<store_tables> make_postgres_tables(const std::string& address) {
  return std::make_unique<postgres_tables>(address, true);
}

} // namespace troupe
