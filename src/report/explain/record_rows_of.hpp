#pragma once

#include "model/base/ids.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// A row of a file of records, by the names of its columns.
using record_row = std::map<std::string, std::string, std::less<>>;

/// What a results directory has recorded of a job.
struct job_rows {
  bool recorded = false;       ///< there is a file of jobs
  bool tasks_recorded = false; ///< there is a file of tasks
  std::optional<record_row> of_job;
};

/// Reads that. Throws `std::runtime_error` if the file is damaged.
job_rows read_job_rows(const std::filesystem::path& directory, job_id job);

/// Returns the rows of a file of records that are about a job, or about one task of it; none if
/// there is no such file. Throws `std::runtime_error` if it is damaged.
std::vector<record_row> read_rows_of(const std::filesystem::path& file, job_id job,
                                     std::optional<std::uint32_t> task);

} // namespace troupe
