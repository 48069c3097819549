#pragma once

#include "jobs/storm.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace troupe::trials {

/// Each attempt leaves marks in a directory, in that of its job: `JOB/JOB.TASK.begun.ATTEMPT`,
/// which it makes with O_EXCL, and at its end `JOB.TASK.done.ATTEMPT`; it holds a lock on
/// `JOB.TASK.lock` meanwhile. It writes `twice` if it finds its own mark, and `together` if it does
/// not get the lock. A task that waits for others writes `early` unless all of these have left
/// their last mark.
struct storm_marks {
  std::filesystem::path directory;

  /// Returns how many lines `file` has.
  std::uint64_t lines_in(const std::string& file) const;
  /// Returns the attempts of tasks, "JOB.TASK.ATTEMPT", that have begun, or are done.
  std::vector<std::string> attempts(const std::string& stage) const;
};

/// Writes job files of about that many tasks together: plain groups, gangs, and groups that wait
/// for others. Returns their names.
std::vector<std::filesystem::path> write_storm_jobs(const storm_plan& plan,
                                                    const storm_marks& marks);

/// Submits the jobs of the files; a submission is repeated by the client. Returns their numbers.
/// Throws `std::runtime_error` if one is not accepted.
std::vector<std::string> submit(trial_cluster& cluster,
                                const std::vector<std::filesystem::path>& files);

/// Returns whether no job is queued or runs.
bool are_over(trial_cluster& cluster);

/// Compares a store with the marks of its attempts.
void read_store(const std::filesystem::path& file, const storm_marks& marks,
                storm_figures& figures);

} // namespace troupe::trials
