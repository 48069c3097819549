#include "jobs/store/sqlite_file.hpp"

#include "jobs/store/sqlite_schema.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace troupe {

namespace {

constexpr int application = 0x54525045; // "TRPE"
/// How long a program that starts waits for another one that writes.
constexpr int busy_ms = 5'000;
/// The same for a service: until it gives up it renews no leases.
constexpr int busy_in_service_ms = 1'000;
constexpr mode_t owner_only = 0600;

std::string lock_name(const std::filesystem::path& store) {
  return store.string() + ".lock";
}

void make_private(const std::filesystem::path& file) {
  const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, owner_only);
  if (fd < 0)
    throw store_refused{file.string() + ": cannot be opened: " + std::strerror(errno)};
  close(fd);
}

int version_of(SQLite::Database& db) {
  return db.execAndGet("PRAGMA user_version").getInt();
}

void check_kind(SQLite::Database& db, const std::string& name) {
  if (db.execAndGet("PRAGMA application_id").getInt() != application)
    throw store_refused{name + ": is no store of Troupe"};
  const int latest = static_cast<int>(schema_steps().size());
  if (version_of(db) > latest)
    throw store_refused{name + ": has version " + std::to_string(version_of(db)) +
                        " of the schema; this program knows up to version " +
                        std::to_string(latest) + "; expected a newer program"};
}

void bring_up_to_date(SQLite::Database& db) {
  const auto& steps = schema_steps();
  for (auto version = static_cast<std::size_t>(version_of(db)); version < steps.size(); ++version)
    db.exec("BEGIN IMMEDIATE;" + std::string{steps[version]} +
            "PRAGMA user_version = " + std::to_string(version + 1) + ";COMMIT");
}

} // namespace

store_lock::store_lock(const std::filesystem::path& store)
  : fd_(open(lock_name(store).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, owner_only)) {
  if (fd_ < 0)
    throw store_refused{lock_name(store) + ": cannot be opened: " + std::strerror(errno)};
  if (flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    close(fd_);
    throw store_refused{store.string() + ": is in use; expected that no other process has it open"};
  }
}

store_lock::~store_lock() {
  close(fd_);
}

SQLite::Database open_for_writing(const std::filesystem::path& file, bool wait_for_disk) {
  make_private(file);
  try {
    SQLite::Database db{file, SQLite::OPEN_READWRITE, busy_ms};
    const bool is_new = db.execAndGet("PRAGMA schema_version").getInt() == 0;
    if (is_new)
      db.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = " +
              std::to_string(application));
    check_kind(db, file.string());
    db.exec("PRAGMA journal_mode = WAL");
    db.exec(wait_for_disk ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF");
    db.exec("PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864");
    bring_up_to_date(db);
    db.setBusyTimeout(busy_in_service_ms);
    return db;
  } catch (const SQLite::Exception& e) {
    throw store_refused{file.string() + ": cannot be opened as a store: " + e.what()};
  }
}

SQLite::Database open_for_reading(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file))
    throw store_refused{file.string() + ": there is no such store"};
  try {
    SQLite::Database db{file, SQLite::OPEN_READONLY, busy_ms};
    check_kind(db, file.string());
    if (version_of(db) < static_cast<int>(schema_steps().size()))
      throw store_refused{file.string() + ": has an older version of the schema; expected a node "
                                          "of this program to have opened it"};
    return db;
  } catch (const SQLite::Exception& e) {
    throw store_refused{file.string() + ": cannot be read as a store: " + e.what()};
  }
}

} // namespace troupe
