#include "jobs/service/attempts/end_rules.hpp"

namespace troupe {

namespace {

enum class end_class { success, own_failure, no_start, loss, orderly };

end_class class_of(const attempt_end& end) {
  switch (end.reason) {
  case end_reason::none:
    return end.exit_code == 0 && end.signal == 0 ? end_class::success : end_class::own_failure;
  case end_reason::time_limit:
  case end_reason::output_limit:
  case end_reason::memory_limit:
    return end_class::own_failure;
  case end_reason::exec_failed:
    return end_class::no_start;
  case end_reason::lease:
  case end_reason::supervisor_lost:
  case end_reason::reboot:
    return end_class::loss;
  case end_reason::cancelled:
  case end_reason::drain:
  case end_reason::preempted:
  case end_reason::host_failed: // another host can, or this one later
    return end_class::orderly;
  }
  return end_class::loss;
}

} // namespace

std::string end_text(const attempt_end& end) {
  switch (end.reason) {
  case end_reason::none:
    break;
  case end_reason::cancelled:
    return "cancelled";
  case end_reason::time_limit:
    return "it ran longer than its time limit";
  case end_reason::output_limit:
    return "it wrote more than its output limit";
  case end_reason::memory_limit:
    return "it used more memory than it may";
  case end_reason::lease:
    return "its lease ran out";
  case end_reason::drain:
    return "its node was drained";
  case end_reason::preempted:
    return "it was preempted";
  case end_reason::exec_failed:
    return "it could not be started" + (end.detail.empty() ? "" : ": " + end.detail);
  case end_reason::supervisor_lost:
    return "its supervisor was lost";
  case end_reason::reboot:
    return "its host was started anew";
  case end_reason::host_failed:
    return "its host could not start it" + (end.detail.empty() ? "" : ": " + end.detail);
  }
  if (end.signal != 0)
    return "signal " + std::to_string(end.signal) + (end.oom ? " (out of memory)" : "");
  if (end.exit_code < 0)
    return "it ended with an unknown exit code";
  return "exit code " + std::to_string(end.exit_code);
}

task_verdict judge(const attempt_end& end, const spent_attempts& spent) {
  task_verdict out{task_state::queued, spent.retries, spent.losses, end_text(end)};
  switch (class_of(end)) {
  case end_class::success:
    out.state = task_state::succeeded;
    out.reason.clear();
    break;
  case end_class::own_failure:
    if (spent.cancelled || spent.retries >= spent.retries_allowed)
      out.state = task_state::failed;
    else
      ++out.retries;
    break;
  case end_class::no_start:
    out.state = task_state::failed;
    break;
  case end_class::loss:
    ++out.losses;
    if (spent.cancelled)
      out.state = task_state::cancelled;
    else if (out.losses > most_losses) {
      out.state = task_state::failed;
      out.reason = "it was lost " + std::to_string(out.losses) + " times; at last " + out.reason;
    }
    break;
  case end_class::orderly:
    if (spent.cancelled)
      out.state = task_state::cancelled;
    break;
  }
  if (out.state == task_state::cancelled)
    out.reason = "cancelled by a user";
  return out;
}

} // namespace troupe
