#pragma once

#include "jobs/store/job_database.hpp"

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// How much a commit waits for.
enum class sqlite_sync {
  full, ///< for the disk: survives a loss of power
  off   ///< for nothing: survives the death of the process only; for tests
};

/// A store in a file of SQLite, for one process on a local disk. A file beside it, with the ending
/// ".lock", is locked while the store is open.
class sqlite_database final : public job_database {
public:
  /// Opens the file, or makes a new one for its owner only; brings an older schema up to date.
  /// Throws `store_refused`.
  explicit sqlite_database(const std::filesystem::path& file, sqlite_sync sync = sqlite_sync::full);
  sqlite_database(const sqlite_database&) = delete;
  sqlite_database& operator=(const sqlite_database&) = delete;
  ~sqlite_database() override;

  void commit(const store_batch& changes) override;
  live_jobs load() override;
  std::optional<live_jobs::one> load_job(std::uint64_t id) override;
  std::optional<job_row> job(std::uint64_t id) override;
  std::optional<std::uint64_t> submission(const std::string& tenant,
                                          const std::string& key) override;
  std::vector<job_row> jobs(const job_filter& filter, std::uint64_t before,
                            std::size_t limit) override;
  std::vector<group_row> groups(std::uint64_t job) override;
  std::vector<task_row> tasks(std::uint64_t job, std::uint32_t from, std::uint32_t to,
                              std::optional<task_state> state, std::size_t limit) override;
  std::vector<attempt_row> attempts(std::uint64_t job, std::uint32_t task) override;
  std::vector<std::uint64_t> finished_before(std::int64_t before_ms, std::size_t keep,
                                             std::size_t limit) override;

  /// Limits the size of the file, as a full disk does. 0: no limit. For tests.
  void limit_pages(std::uint32_t pages);

private:
  struct connections;
  std::unique_ptr<connections> state_;
};

/// Compares counters with rows, states with each other, and the file with itself. Returns what is
/// wrong, a line each; empty: nothing.
std::vector<std::string> check_store(const std::filesystem::path& file);

/// Writes all rows of a store as text, a JSON object on each line: `{"table": ..., columns}`. The
/// order depends on what is stored only. Throws `store_refused`.
void export_store(const std::filesystem::path& file, std::ostream& out);

/// Makes a store of what `export_store` has written. Throws `store_refused`, with the number of the
/// line, if the text is not that; also if the file exists.
void import_store(const std::filesystem::path& file, std::istream& in);

} // namespace troupe
