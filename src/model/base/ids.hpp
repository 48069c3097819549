#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace troupe {

/// Numbers that identify members and machines within one cluster; each counts from 0 without gaps.
using machine_id = std::uint32_t;
using partition_id = std::uint32_t;
using owner_id = std::uint32_t;
using scheduler_id = std::uint32_t;

/// Identifies a job in one run: the upper 24 bits are the workload that it comes from, the lower
/// bits are a count.
using job_id = std::uint64_t;

/// Means "no scheduler", for instance where a machine has never been claimed.
inline constexpr scheduler_id no_scheduler = std::numeric_limits<scheduler_id>::max();

/// Identifies one task: its job and its index within the job.
struct task_id {
  job_id job = 0;
  std::uint32_t index = 0;

  friend auto operator<=>(const task_id&, const task_id&) = default;
};

inline std::string to_string(const task_id& id) {
  return std::to_string(id.job) + "." + std::to_string(id.index);
}

} // namespace troupe

template <>
struct std::hash<troupe::task_id> {
  std::size_t operator()(const troupe::task_id& id) const noexcept {
    return (id.job * 0x9E3779B97F4A7C15ULL) ^ (id.index * 0xC2B2AE3D27D4EB4FULL);
  }
};
