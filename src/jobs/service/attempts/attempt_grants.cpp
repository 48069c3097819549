#include "jobs/service/attempts/attempt_grants.hpp"

#include "jobs/spec/attempt_spec.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

std::int64_t in_ms(duration d) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(d).count();
}

/// Returns the attempt_spec of an attempt as JSON.
std::string spec_text(const live_job& j, const live_group& g, std::uint32_t in_group,
                      const attempt_key& which) {
  const auto& from = j.spec.groups[g.number];
  attempt_spec spec;
  spec.which = which;
  spec.argv = from.argv;
  spec.env = from.env;
  spec.dir = from.dir;
  spec.time_limit_ms = in_ms(from.time_limit);
  spec.grace_ms = in_ms(from.grace);
  spec.lease_ms = in_ms(from.lease);
  spec.output_limit_bytes = from.output_limit_bytes;
  spec.cpu = from.cpu_milli / 1000.0;
  spec.memory_bytes = from.memory_bytes;
  spec.gpu_milli = from.gpu_milli;
  spec.slots = from.slots;
  const auto number = std::to_string(in_group);
  const auto* entry = !from.entries.empty() ? &from.entries[in_group]
                      : from.count > 1      ? &number
                                            : nullptr;
  add_task_names(spec, entry);
  return to_json(spec);
}

} // namespace

start_permit attempt_grants::permit(const work_report& report, task_id as, service_time now) {
  const start_permit refusal{as, start_verdict::refuse, {}, {}};
  const auto latest = tables_.handed.latest_of(as);
  if (!latest)
    return refusal;
  auto& j = *latest->of;
  auto& g = j.group_of(latest->task);
  const auto in_group = latest->task - g.first;
  const auto state = g.state_of(in_group);
  if (state == task_state::queued)
    return grant(report, as, j, g, in_group, now);
  auto* const a = tables_.leases.find({j.row.id, latest->task});
  if (state != task_state::running || a == nullptr)
    return refusal;
  if (a->machine() != report.machine() || a->boot != report.boot)
    return {as, start_verdict::wait, {}, {}};
  if (a->stop)
    return refusal;
  // The node's lease begins at its question, which was earlier.
  tables_.leases.renew(*a, now.steady);
  return {as, start_verdict::run, a->which, spec_text(j, g, in_group, a->which)};
}

start_permit attempt_grants::grant(const work_report& report, task_id as, live_job& j,
                                   live_group& g, std::uint32_t in_group, service_time now) {
  auto& t = g.touch(in_group);
  t.state = task_state::running;
  t.pauses = 0;
  if (j.row.reason.starts_with(no_machine_fits))
    j.row.reason.clear();
  ++t.attempts;
  tables_.jobs.started(j, g);
  if (j.row.started_ms == 0)
    j.row.started_ms = std::max<std::int64_t>(now.utc_ms, 1);
  if (j.row.state == job_state::queued)
    j.row.state = job_state::running;
  tables_.changes.note(j, g);
  tables_.changes.write(j, g, in_group, "");
  open_attempt a;
  a.which = {j.row.id, g.first + in_group, t.attempts};
  a.as = as;
  a.node = report.node;
  a.boot = report.boot;
  a.machine_state = report.machine_state;
  a.granted_ms = now.utc_ms;
  a.lease = g.lease;
  tables_.changes.write(a);
  const auto which = a.which;
  tables_.leases.open(std::move(a), now.steady);
  return {as, start_verdict::run, which, spec_text(j, g, in_group, which)};
}

} // namespace troupe
