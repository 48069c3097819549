#pragma once

#include "jobs/store/job_database.hpp"
#include "jobs/store/store_place.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace troupe::test {

/// A directory of its own for one test, gone after it.
class store_directory {
public:
  store_directory() {
    auto name = (std::filesystem::temp_directory_path() / "troupe-jobs-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  store_directory(const store_directory&) = delete;
  store_directory& operator=(const store_directory&) = delete;
  ~store_directory() { std::filesystem::remove_all(path_); }

  std::filesystem::path store() const { return path_ / "store.db"; }
  store_place place() const { return {store(), {}}; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
  std::filesystem::path path_;
};

/// A submission of one group of tasks.
inline store_batch new_job(std::uint64_t id, std::uint32_t tasks = 1) {
  store_batch batch;
  job_row job;
  job.id = id;
  job.name = "job " + std::to_string(id);
  job.tenant = id % 2 == 0 ? "even" : "odd";
  job.tasks = tasks;
  job.submitted_ms = 1'000 + static_cast<std::int64_t>(id);
  job.spec = R"({"groups":[{"command":["true"]}]})";
  batch.jobs.push_back(job);
  batch.submissions.push_back({job.tenant, "key " + std::to_string(id), id});
  group_row group;
  group.job = id;
  group.tasks = tasks;
  group.rest = task_state::queued;
  batch.groups.push_back(group);
  batch.next_job = id + 1;
  return batch;
}

inline store_batch batch_of(std::vector<ordered_policy_row> policies) {
  store_batch batch;
  batch.policies = std::move(policies);
  return batch;
}

inline store_batch batch_of(std::vector<machine_row> machines) {
  store_batch batch;
  batch.machines = std::move(machines);
  return batch;
}

/// The end of a job of one task.
inline store_batch end_of_job(std::uint64_t id, std::int64_t at_ms) {
  store_batch batch;
  task_row task;
  task.job = id;
  task.state = task_state::succeeded;
  task.attempts = 1;
  batch.tasks.push_back(task);
  attempt_row attempt;
  attempt.which = {id, 0, 1};
  attempt.node = "node-0";
  attempt.boot = ~std::uint64_t{0};
  attempt.machine_state = "m";
  attempt.granted_ms = 5;
  attempt.open = false;
  attempt.end.which = attempt.which;
  attempt.end.exit_code = 0;
  attempt.end.started_ns = 6'000'000;
  attempt.end.ended_ns = 7'000'000;
  attempt.end.out_bytes = std::uint64_t{1} << 40;
  attempt.end.detail = "ü";
  batch.attempts.push_back(attempt);
  auto made = new_job(id);
  made.groups[0].counts.succeeded = 1;
  batch.groups = made.groups;
  made.jobs[0].counts.succeeded = 1;
  made.jobs[0].state = job_state::succeeded;
  made.jobs[0].finished_ms = at_ms;
  made.jobs[0].spec.clear();
  batch.jobs = made.jobs;
  return batch;
}

} // namespace troupe::test
