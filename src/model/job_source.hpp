#pragma once

#include "model/job.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

namespace troupe {

/// The jobs cannot be read on, or cannot be run.
struct input_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A stream of jobs, from a generator or a trace, in the order in which they are submitted.
class job_source {
public:
  virtual ~job_source() = default;

  /// Returns the next job, with `submitted` never earlier than that of the job before, or nothing
  /// once the stream has ended. Job ids count from 0; whoever reads several sources makes them
  /// unique. Throws `std::runtime_error` with a message for the user if the input turns out to be
  /// unreadable.
  virtual std::optional<job> next() = 0;

  /// Returns how many rows of the input have been left out so far, by reason; nothing for sources
  /// that read no rows.
  virtual std::map<std::string, std::uint64_t> skipped_rows() const { return {}; }

  /// Returns how much earlier jobs are submitted than their trace says.
  virtual duration moved() const { return duration{0}; }

  /// Returns whether tasks of its jobs may have to wait for others of the same job.
  virtual bool has_dependencies() const { return false; }
};

} // namespace troupe
