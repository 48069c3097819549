#pragma once

#include "report/page/html.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace troupe {

/// A job with long delays, as in jobs.csv.gz.
struct slow_job {
  std::string job;
  std::string group;
  std::string tasks;
  std::string state;
  std::string attempts;
  std::string conflicts;
  double submitted_s = 0;
  double wait_s = 0;     ///< NaN: not known, as below
  double delay_s = 0;    ///< the longest one of its tasks
  double response_s = 0; ///< NaN: it is not over
};

/// Jobs on a page at most.
inline constexpr std::size_t most_slow_jobs = 20;

/// Returns the jobs with the longest delays in a file of records, longest first; nothing if there
/// is no such file. Throws `std::runtime_error` with a message for the user if it is damaged.
std::vector<slow_job> slow_jobs_in(const std::filesystem::path& jobs_file);

/// Renders these of a run; empty if there are none.
std::string slow_jobs_html(const std::vector<slow_job>& jobs, const std::string& run);

} // namespace troupe
