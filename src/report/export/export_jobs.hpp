#pragma once

#include "model/records/records.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The formats of other tools to which records of jobs are exported.
enum class export_format : std::uint8_t {
  batsim, ///< jobs.csv of Batsim, which evalys reads
  swf,    ///< the Standard Workload Format, version 2.2
};

inline constexpr std::array<std::string_view, 2> export_format_names{"batsim", "swf"};

/// A job as other tools know it: it asks for a number of processors for one stretch of time.
struct exported_job {
  std::string number; ///< in the records
  std::string group;
  std::string tenant;
  record_state state = record_state::finished;
  std::uint64_t tasks = 0;
  double submitted_s = 0;
  double started_s = 0;                ///< its first task's start; NaN: it never ran
  double ended_s = 0;                  ///< NaN: it never ran
  double requested_s = 0;              ///< run time that was asked for; NaN: none
  double cpu_cores = 0;                ///< of all tasks; NaN: none
  double memory_gib = 0;               ///< likewise
  std::vector<std::uint32_t> machines; ///< that its tasks ran on last, ascending
};

/// The jobs of a run that are over, by submission.
struct exported_jobs {
  std::string name; ///< of the run
  std::vector<exported_job> jobs;
  std::uint64_t open = 0;       ///< jobs that were not over, and are left out
  std::uint64_t processors = 0; ///< of the cluster; 0: unknown
  bool tasks_recorded = false;  ///< starts and machines are those of the tasks
};

/// Reads the records in the directory of a run. Throws `std::runtime_error` with a message for the
/// user if there are none or if they are damaged.
exported_jobs read_exported_jobs(const std::filesystem::path& directory);

/// Writes the jobs.
void write_exported(std::ostream& out, const exported_jobs& jobs, export_format format);

/// Renders ascending numbers as Batsim does: "1-2 5 10-50".
std::string interval_set(const std::vector<std::uint32_t>& numbers);

} // namespace troupe
