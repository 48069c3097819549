#pragma once

#include "model/jobs/job.hpp"

#include <string>

namespace troupe {

/// One job of a trace in any format.
struct trace_job {
  instant submitted{0}; ///< in the run: since the start of the window, sped up
  duration estimate{0}; ///< of a task; 0 if the trace has none
  bool asks = false;    ///< whether the trace has the requests of the tasks
  bool gang = false;    ///< as in `job`
  bool spread = false;  ///< as in `job`
  std::int32_t priority = 0;
  std::string tenant;             ///< its name; empty: the trace has none
  std::vector<task_group> groups; ///< at least one, each after its parents
  std::int64_t number = none;     ///< in the trace, where other jobs name it
  std::int64_t preceding = none;  ///< the number of the job after whose end this one is submitted
  duration think{0};              ///< so much later

  static constexpr std::int64_t none = -1;

  std::uint64_t task_count() const {
    std::uint64_t n = 0;
    for (const auto& g : groups)
      n += g.count;
    return n;
  }
};

/// Serialises a job, and removes it again from the front of `bytes`.
void append_bytes(std::string& to, const trace_job& job);
void take_bytes(std::string_view& bytes, trace_job& job);

} // namespace troupe
