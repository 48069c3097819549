#include "nodes/agent/hosted/hosted_workload.hpp"

#include "model/base/log.hpp"
#include "nodes/agent/shifted_source.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/run/live_about.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

constexpr const char* workload_file = "workload-incarnation";

} // namespace

hosted_workload::hosted_workload(const node_context& node, const joined_cluster& cluster,
                                 const node_roster& roster, hosted_members& members)
  : node_(node), cluster_(cluster), roster_(roster), members_(members) {
  record_->live = std::make_shared<live_board>(false);
}

bool hosted_workload::start() {
  if (!waits())
    return begun_;
  // Jobs of commands wait in their store until there is a place for them; and a master that is not
  // the first one, also if the cluster begins anew, gives no place to an owner before it has heard
  // from the job stores.
  if (!cluster_.settings()->runs_commands() && !all_known())
    return false;
  begun_ = true;
  const auto incarnation = next_incarnation();
  choose_begin(incarnation);
  start_groups(incarnation);
  auto about = live_about_of(*cluster_.settings());
  about.world = "cluster";
  about.origin = to_seconds(duration{cluster_.origin()} + from_);
  record_->live->begin(std::move(about));
  start_recorder();
  return true;
}

/// Returns whether all members and, unless the cluster grows, all machines can be reached.
bool hosted_workload::all_known() const {
  for (const auto& p : places_of(*cluster_.settings(), 0).entries)
    if (!node_.mail->knows(member_address(p.what, p.number)))
      return false;
  for (machine_id m = 0; m < cluster_.all_machines()->machines() && !cluster_.grows(); ++m)
    if (!node_.mail->knows(member_address(role::machine, m)))
      return false;
  return true;
}

incarnation_id hosted_workload::next_incarnation() {
  const auto last = member_address(role::workload, 0); // on another host, whose clock may differ
  const bool is_known = node_.mail->knows(last);
  const bool is_first = !cluster_.settings()->runs_commands() && !cluster_.resumes() &&
                        cluster_.now() >= instant{0} && !is_known;
  if (is_first) // of a new cluster
    take_back(node_.state / workload_file, life_by_clock());
  return std::max(node_.timed_number(workload_file),
                  is_known ? node_.mail->incarnation_of(last) + 1 : 0);
}

void hosted_workload::choose_begin(incarnation_id incarnation) {
  from_ = cluster_.work_begins(incarnation);
  if (const auto soon = cluster_.now() + cluster_.lead();
      !cluster_.follows_work()) // nothing else follows that time
    from_ = std::min(from_, soon);
  else if (from_ > soon + std::chrono::seconds{1})
    log::warn("node {}: the workload begins in {} s, when the clock of this host is where it was "
              "as the last one began: it has gone back",
              node_.who.name,
              std::chrono::ceil<std::chrono::seconds>(from_ - cluster_.now()).count());
}

void hosted_workload::start_groups(incarnation_id incarnation) {
  const auto& settings = *cluster_.settings();
  const auto places = places_of(settings, 0).entries;
  auto sources = sources_of(settings);
  if (settings.runs_commands() && node_.hooks.jobs_of_clients)
    sources.front() = node_.hooks.jobs_of_clients;
  for (std::uint32_t g = 0; g < settings.groups.size(); ++g)
    members_.start_workload({{role::workload, g, incarnation}, duration{0}, {0, 0, places}},
                            std::make_shared<shifted_source>(sources[g], from_));
}

void hosted_workload::start_recorder() {
  const address as{party::recorder, role::workload, cluster_.index(), 0};
  recorder_ = node_.system.spawn(troupe::recorder, config_of(as));
  node_.mail->settle(as, caf::actor_cast<caf::strong_actor_ptr>(recorder_));
}

recorder_config hosted_workload::config_of(const address& as) const {
  const auto& settings = *cluster_.settings();
  const run_clock from_work{cluster_.clock().origin +
                            std::chrono::duration_cast<caf::actor_clock::duration_type>(from_)};
  auto config = recorder_config_of(settings, {cluster_.all_machines(), record_, from_work});
  config.reach = node_.reach_from(as);
  config.find_nodes = [this, as] {
    std::vector<node_reference> found;
    const std::lock_guard lock{node_.mutex};
    for (const auto index : roster_.machine_nodes()) {
      const auto incarnation = node_.mail->incarnation_of(member_address(role::node, index));
      if (const auto handle = node_.mail->find(as, member_address(role::node, index, incarnation)))
        found.push_back({index, incarnation, caf::actor_cast<node_actor>(handle)});
    }
    return found;
  };
  config.finds_allocator = settings.sync.plan == sync_plan_kind::offers;
  config.patience = settings.failures.timeout;
  config.begins = from_;
  return config;
}

void hosted_workload::end() {
  over_ = true;
  record_->live->change([](live_state& state) { state.over = true; });
}

workload_progress hosted_workload::progress() const {
  if (!begun_)
    return {};
  const std::lock_guard guard{record_->mutex};
  const auto& t = record_->totals.tasks;
  return {true,
          over_,
          record_->sampled_at,
          t.submitted,
          t.queued + t.in_commit,
          t.running,
          t.placed,
          t.finished,
          t.failed + t.lost + t.abandoned,
          record_->totals.conflicts};
}

} // namespace troupe
