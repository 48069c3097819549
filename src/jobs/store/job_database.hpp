#pragma once

#include "jobs/store/rows.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace troupe {

/// The store has no room: nothing of the batch was kept, and it can be used further.
struct store_full : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The store does not work. Whether the batch was kept is unknown: the store must not be used
/// before it is opened again.
struct store_broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The store does not answer now. Whether the batch was kept is unknown, but `load` can be tried
/// again: it returns the kept data, and the store continues.
struct store_away : store_broken {
  using store_broken::store_broken;
};

/// Another process may write to the store now, and this one may not any more.
struct store_lost : store_broken {
  using store_broken::store_broken;
};

/// The store cannot be opened: it belongs to another process, is newer than this program, or is
/// damaged. what() is for the user.
struct store_refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How much a commit waits for.
enum class store_sync {
  full, ///< for the disk: survives a loss of power
  off   ///< for nothing: survives the death of the process only; for tests
};

/// Which jobs a list shows.
struct job_filter {
  std::optional<job_state> state{};
  std::string tenant{}; ///< empty: all
  std::string name{};   ///< empty: all
  bool live_only = false;
};

/// All jobs that are not over, and all data that stay valid until they are changed, for a service
/// that begins.
struct live_jobs {
  struct one {
    job_row job; ///< with its spec
    std::vector<group_row> groups;
    std::vector<task_row> tasks;
    std::vector<attempt_row> open;
  };

  std::vector<one> jobs;                    ///< by number
  std::vector<ordered_policy_row> policies; ///< by scheduler
  std::vector<machine_row> machines;        ///< that are there, by node
  std::uint64_t next_job = 1;
  std::uint64_t next_scheduler_job = 1;
};

/// Keeps accepted jobs and their results. One thread at a time writes; other threads may read at
/// the same time, and see the state after the last commit.
class job_database {
public:
  virtual ~job_database() = default;

  /// Makes all changes durable, or none. Throws `store_full`, `store_broken`, or one of those that
  /// are derived from it; so do all others.
  virtual void commit(const store_batch& changes) = 0;

  /// Returns the jobs that are not over, the policies and the machines. After this call no earlier
  /// commit under way takes effect.
  virtual live_jobs load() = 0;

  /// Returns whether no other process can have written to the store until now. If not, the
  /// knowledge of this process may be out of date.
  virtual bool is_held() const { return true; }

  /// Returns all of one job, over or not.
  virtual std::optional<live_jobs::one> load_job(std::uint64_t id) = 0;

  /// Returns a job with its spec.
  virtual std::optional<job_row> job(std::uint64_t id) = 0;
  /// Returns the job of an earlier submission with this key.
  virtual std::optional<std::uint64_t> submission(const std::string& tenant,
                                                  const std::string& key) = 0;
  /// Returns at most `limit` jobs without their specs, the newest first, with numbers below
  /// `before`; 0: all.
  virtual std::vector<job_row> jobs(const job_filter& filter, std::uint64_t before,
                                    std::size_t limit) = 0;
  virtual std::vector<group_row> groups(std::uint64_t job) = 0;
  /// Returns at most `limit` rows of tasks from number `from` on, and below `to`.
  virtual std::vector<task_row> tasks(std::uint64_t job, std::uint32_t from, std::uint32_t to,
                                      std::optional<task_state> state, std::size_t limit) = 0;
  /// Returns the attempts of a task, the first first.
  virtual std::vector<attempt_row> attempts(std::uint64_t job, std::uint32_t task) = 0;
  /// Returns the machines that are there, or have left at `since_ms` or later, by time.
  virtual std::vector<machine_row> machines(std::int64_t since_ms) = 0;
  /// Returns at most `limit` jobs that were over before `before_ms`, the oldest first, but none of
  /// the `keep` newest that are over.
  virtual std::vector<std::uint64_t> finished_before(std::int64_t before_ms, std::size_t keep,
                                                     std::size_t limit) = 0;
};

} // namespace troupe
