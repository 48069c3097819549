#pragma once

#include "model/base/resources.hpp"
#include "workload/traces/trace_job.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// The lines of a recording of a cluster that ran commands. Each line is a JSON object;
/// docs/traces.md describes them. `troupe record` writes a recording.
namespace troupe {

/// The version of the format.
inline constexpr int recording_version = 1;

/// How the first line of a recording begins.
inline constexpr std::string_view recording_mark = "{\"recording\":";

/// The first line.
struct recording_head {
  std::int64_t from_ms = 0; ///< UTC, ms since 1970: times of other lines count from here
  std::int64_t to_ms = 0;   ///< likewise, exclusive
};

/// The capacity of a machine from some time on; nothing: it is away.
struct recorded_machine {
  std::string name;
  double at_s = 0;
  resources capacity;
  std::map<std::string, std::string> attributes;
};

/// Tasks that were submitted together.
struct recorded_group {
  resources demand;                ///< of each
  std::vector<double> durations_s; ///< of the tasks: all runs that ended, together
  std::vector<constraint> constraints;
  std::vector<std::uint32_t> after; ///< groups of the job, before this one
};

struct recorded_job {
  std::string name; ///< unique; with "/" if a job was split
  double at_s = 0;
  std::int32_t priority = 0;
  bool gang = false;
  std::string tenant; ///< empty: none
  std::vector<recorded_group> groups;
};

/// These render a line, without its end.
std::string to_line(const recording_head& head);
std::string to_line(const recorded_machine& machine);
std::string to_line(const recorded_job& job);

/// What is wrong with a line.
struct recording_fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A line that has been read: one of these.
struct recorded_line {
  std::optional<recording_head> head;
  std::optional<recorded_machine> machine;
  std::optional<recorded_job> job;
};

/// Reads a line. Throws `recording_fault`.
recorded_line read_recorded(std::string_view line);

} // namespace troupe
