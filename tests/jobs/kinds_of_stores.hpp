#pragma once

#include "jobs/store/postgres_database.hpp"
#include "jobs/store/sqlite_database.hpp"
#include "store_rows.hpp"
#include "support/postgres_server.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

/// Both kinds of stores behind one interface, for tests that run with each.
namespace troupe::test {

class in_sqlite {
public:
  static bool is_there() { return true; }

  /// Opens the store of this object. Throws `store_refused`.
  std::unique_ptr<job_database> open(store_sync sync = store_sync::off) const {
    return std::make_unique<sqlite_database>(dir_.store(), sync);
  }

  /// The same, in a process that is about to be killed, and soon after that.
  std::unique_ptr<job_database> open_for_death() const { return open(store_sync::full); }
  std::unique_ptr<job_database> open_after_death() const { return open(store_sync::full); }

  store_place place() const { return {dir_.store(), {}}; }

  /// A place for another store.
  store_place other(const std::string& name) { return {dir_ / name, {}}; }

  /// Runs SQL beside the store.
  void run(const std::string& sql) const {
    SQLite::Database{dir_.store(), SQLite::OPEN_READWRITE}.exec(sql);
  }

private:
  store_directory dir_;
};

class in_postgres {
public:
  static bool is_there() { return postgres_server::shared() != nullptr; }

  std::unique_ptr<job_database> open(store_sync sync = store_sync::off) const {
    return open_with(std::chrono::seconds{20}, sync);
  }

  std::unique_ptr<job_database> open_for_death() const {
    return open_with(std::chrono::seconds{1}, store_sync::full);
  }

  std::unique_ptr<job_database> open_after_death() const {
    const auto lease = lease_for(std::chrono::seconds{20});
    while (!lease->try_take())
      std::this_thread::sleep_for(std::chrono::milliseconds{50});
    return std::make_unique<postgres_database>(lease);
  }

  store_place place() const { return {{}, address_}; }
  store_place other(const std::string&) const {
    return {{}, postgres_server::shared()->new_database()};
  }
  void run(const std::string& sql) const { postgres_server::shared()->run(address_, sql); }

  /// Of the database.
  std::string name() const {
    const auto begin = address_.find("///") + 3;
    return address_.substr(begin, address_.find('?') - begin);
  }

  std::shared_ptr<keeper_lease> lease_for(std::chrono::milliseconds length,
                                          const std::string& node = "a") const {
    keeper_options options;
    options.database = address_;
    options.self.node = node;
    options.lease = length;
    return std::make_shared<keeper_lease>(std::move(options));
  }

private:
  std::unique_ptr<job_database> open_with(std::chrono::milliseconds lease, store_sync sync) const {
    const auto held = lease_for(lease);
    if (!held->try_take())
      throw store_refused{"node " + held->keeper().node + " keeps the jobs"};
    return std::make_unique<postgres_database>(held, sync);
  }

  std::string address_ = postgres_server::shared()->new_database();
};

} // namespace troupe::test
