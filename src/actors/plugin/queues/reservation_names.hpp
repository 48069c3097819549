#pragma once

#include "actors/plugin/plugin_jobs.hpp"

#include <cstdint>
#include <optional>

namespace troupe {

/// What a reservation is for: a group of a job.
struct reserved_group {
  job_id job = 0;
  std::uint32_t group = 0;

  bool operator==(const reserved_group&) const = default;
};

/// Translates between the plugin's names of reserved groups and those that machines know. The
/// plugin may know a part of a job as a job of its own. For machines a reservation for that part is
/// one of the job, with a number of the part instead of the group: machines return the group with
/// their requests and do not use it.
class reservation_names {
public:
  /// `jobs` must outlive the object.
  explicit reservation_names(const plugin_jobs& jobs) : jobs_(jobs) {}

  /// Returns a group of the plugin as machines know it, or nothing if its job is over, or has no
  /// such group.
  std::optional<reserved_group> named(const reserved_group& seen) const;

  /// Returns a group of a machine's reservation as the plugin knows it, or nothing if its job is
  /// over.
  std::optional<reserved_group> seen(const reserved_group& what) const;

  /// The tasks that a machine's reservation is for. Its job must not be over.
  const task_group& tasks_of(const reserved_group& what) const;

private:
  const plugin_jobs& jobs_;
};

} // namespace troupe
