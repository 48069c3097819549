#pragma once

#include "model/base/ids.hpp"
#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "model/explain/machine_survey.hpp"
#include "model/explain/wait_reason.hpp"
#include "settings/schema/settings.hpp"

#include <functional>
#include <string>

namespace troupe {

/// How the explanations of one run name its parts.
struct explain_names {
  const run_settings* settings = nullptr;
  /// The policy of a scheduler at an instant; empty: it has none.
  std::function<std::string(scheduler_id, instant)> policy;

  /// "12.3", or "web/12.3" if there are several groups of jobs.
  std::string task(const task_id& id) const;
  /// "12" or "web/12".
  std::string job(job_id id) const;
  std::string group(job_id id) const;
  std::string tenant(std::uint32_t index) const;
};

/// Renders "14.200 s".
std::string at_text(instant at);

/// Renders a span with three digits: "410 ms".
std::string span_text(duration d);

/// Renders "2 cores", "4 GiB", "1 GPU", "3 slots".
std::string amount_text(resource kind, std::int64_t amount);

/// Renders all that is asked for: "2 cores and 4 GiB".
std::string demand_text(const resources& demand);

/// Renders the line of a survey: "380 have less than 8 cores free".
std::string line_text(const machine_survey::line& line, const machine_wish& wish);

/// Renders why one machine cannot take a task: "it has 1 core free, 7 cores too little".
std::string finding_text(const machine_finding& found, const machine_wish& wish);

/// Renders a reason to wait: "other tasks were decided on before it".
std::string reason_text(wait_reason why);

/// Renders "machine 3", "machines 3 and 7", "machines 3, 7 and 9"; of more than `most` the first
/// ones and how many others there are.
std::string machines_text(const std::vector<machine_id>& machines, std::size_t most = 3);

} // namespace troupe
