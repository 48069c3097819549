#pragma once

#include "model/job.hpp"

#include <string>

namespace troupe {

/// One job of a trace in any format.
struct trace_job {
  instant submitted{0}; ///< in the run: since the start of the window, sped up
  duration estimate{0}; ///< of a task; 0 where the trace says nothing
  bool asks = false;    ///< the trace says what the tasks ask for
  bool gang = false;    ///< as in `job`
  bool spread = false;  ///< as in `job`
  std::int32_t priority = 0;
  std::vector<task_group> groups; ///< at least one, in an order in which none is before its parents

  std::uint64_t task_count() const {
    std::uint64_t n = 0;
    for (const auto& g : groups)
      n += g.count;
    return n;
  }
};

/// Writes a job into bytes, and reads it back from the front of `bytes`, which loses them.
void append_bytes(std::string& to, const trace_job& job);
void take_bytes(std::string_view& bytes, trace_job& job);

} // namespace troupe
