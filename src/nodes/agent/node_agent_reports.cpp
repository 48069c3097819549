#include "nodes/agent/node_agent.hpp"
#include "nodes/agent/process_usage.hpp"
#include "nodes/policies/policy_plan.hpp"
#include "runtime/cluster/places.hpp"

#include <caf/all.hpp>

/// What a node tells of itself, of its cluster, and of the workload.
namespace troupe {

namespace {

/// How long somebody who has asked for the live state counts as watching.
constexpr auto watched_for = std::chrono::seconds{30};

} // namespace

node_report node_agent::report() {
  if (std::chrono::steady_clock::now() > watched_until_.load())
    record_->live->watch(false);
  const std::lock_guard lock{mutex_};
  node_report r;
  r.index = index_;
  for (const auto& [who, _] : living_)
    if (who.kind == party::member)
      r.members.push_back({who.what, who.number, who.incarnation});
  if (emulated_) {
    r.machines_up = machines_.count;
    const auto status = emulated_->status();
    r.launched = status.launched;
    r.tasks_running = status.launched - status.ended;
  }
  r.draining = draining_ && (!emulated_ || std::chrono::steady_clock::now() - drains_since_ >=
                                             settings_->failures.heartbeat);
  tell_policies(); // again, if one was lost
  r.policies = policy_states();
  const auto carried = mail_->counts();
  r.bytes_sent = carried.bytes_sent;
  r.sync_bytes = carried.sync_bytes;
  r.envelopes_sent = carried.envelopes_sent;
  r.envelopes_dropped = carried.dropped;
  r.memory_bytes = resident_memory();
  r.cpu_ms = cpu_time().count();
  if (works_) {
    const std::lock_guard guard{record_->mutex};
    const auto& t = record_->totals.tasks;
    r.work = {true,
              work_over_,
              record_->sampled_at,
              t.submitted,
              t.queued + t.in_commit,
              t.running,
              t.placed,
              t.finished,
              t.failed + t.lost + t.abandoned,
              record_->totals.conflicts};
  }
  return r;
}

std::vector<machine_description> node_agent::machines() const {
  const std::lock_guard lock{mutex_};
  std::vector<machine_description> all;
  for (const auto& e : nodes_)
    if (e.who.is_machine() && e.present && !e.draining)
      all.push_back(e.who.machine);
  return all;
}

std::vector<named_machine> node_agent::hosts() const {
  const std::lock_guard lock{mutex_};
  std::vector<named_machine> all;
  for (const auto& e : nodes_)
    if (e.who.is_machine())
      all.push_back({e.who.name, e.who.machine, e.present});
  return all;
}

live_report node_agent::live(const live_request& asked) {
  watched_until_ = std::chrono::steady_clock::now() + watched_for;
  record_->live->watch(true);
  return record_->live->read([&](const live_state& state) { return report_of(state, asked); });
}

cluster_report node_agent::describe(const node_list& nodes) const {
  const std::lock_guard lock{mutex_};
  cluster_report all;
  all.nodes = nodes;
  all.origin = nodes.origin;
  all.master = master_incarnation_;
  if (!settings_)
    return all;
  all.name = settings_->name;
  all.architecture = to_string(settings_->architecture);
  all.machines = settings_->cluster.machines;
  all.grows = settings_->runs_commands();
  all.places = places_of(*settings_, 0).entries;
  if (begun_) {
    all.now = now();
    all.policies = policies_at(*settings_, nodes.policies, all.now);
  }
  return all;
}

} // namespace troupe
