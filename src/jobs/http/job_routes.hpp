#pragma once

#include "jobs/service/job_service.hpp"
#include "model/cluster/machine_description.hpp"
#include "web/route_table.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// A part of a command's output, as its node has found it.
struct found_output {
  bool known = false;       ///< whether the output is still there
  std::uint64_t offset = 0; ///< of the first byte: the start may be gone
  std::uint64_t size = 0;   ///< bytes written so far
  std::string bytes;
};

/// Reads the output of an attempt from an offset on, at most `limit` bytes of it. `errors`:
/// standard error instead of standard output. It is called in the thread of the server, and answers
/// from any thread; nothing: the node does not answer.
using output_reader =
  std::function<void(const attempt_row& of, bool errors, std::uint64_t offset, std::uint32_t limit,
                     std::function<void(std::optional<found_output>)> answer)>;

/// Returns the machines that may get tasks now. It is called in any thread.
using machine_lister = std::function<std::vector<machine_description>()>;

/// Adds the API of jobs to a server: docs/openapi.json. The service must outlive the server.
/// Without `machines`, jobs do not show that no machine could hold their tasks. Without `gangs`,
/// jobs with groups whose tasks start together are refused.
void mount(route_table& routes, job_service& service, output_reader read_output,
           machine_lister machines = {}, bool gangs = true);

/// Adds the same paths to a server that has no jobs, or does not keep them now: all have the same
/// answer, with the reason.
void mount_without_jobs(route_table& routes, const std::function<web_response()>& answer);

} // namespace troupe
