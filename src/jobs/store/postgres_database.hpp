#pragma once

#include "jobs/store/keeper_lease.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// A store in a database of PostgreSQL, for the process that has its lease.
class postgres_database final : public job_database {
public:
  /// `lease` was taken. Throws `store_refused` if commits of the database are not durable.
  explicit postgres_database(std::shared_ptr<keeper_lease> lease,
                             store_sync sync = store_sync::full);
  postgres_database(const postgres_database&) = delete;
  postgres_database& operator=(const postgres_database&) = delete;
  ~postgres_database() override;

  void commit(const store_batch& changes) override;
  live_jobs load() override;
  bool is_held() const override;
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

private:
  struct sessions;
  std::unique_ptr<sessions> state_;
};

} // namespace troupe
