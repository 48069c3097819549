#pragma once

#include "jobs/store/job_database.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// A store in a file of SQLite, for one process on a local disk. A file beside it, with the ending
/// ".lock", is locked while the store is open.
class sqlite_database final : public job_database {
public:
  /// Opens the file, or makes a new one for its owner only; brings an older schema up to date.
  /// Throws `store_refused`.
  explicit sqlite_database(const std::filesystem::path& file, store_sync sync = store_sync::full);
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
  std::vector<machine_row> machines(std::int64_t since_ms) override;
  std::vector<std::uint64_t> finished_before(std::int64_t before_ms, std::size_t keep,
                                             std::size_t limit) override;

  /// Limits the size of the file, as a full disk does. 0: no limit. For tests.
  void limit_pages(std::uint32_t pages);

private:
  struct connections;
  std::unique_ptr<connections> state_;
};

} // namespace troupe
