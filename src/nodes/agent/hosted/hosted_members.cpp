#include "nodes/agent/hosted/hosted_members.hpp"

#include "actors/common/standby.hpp"
#include "actors/master/member_table.hpp"
#include "model/base/log.hpp"
#include "runtime/cluster/places.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// A standby's number says where it lives, so that the master can spread places over nodes.
constexpr std::uint32_t standbys_per_node = 1 << 16;

} // namespace

void hosted_members::begin(std::shared_ptr<run_record> record) {
  factory_.emplace(node_.system, *cluster_.settings(),
                   member_parts{cluster_.all_machines(), std::move(record), cluster_.clock()});
}

member_start hosted_members::start_of(const promotion& as) {
  const auto& who = as.as;
  return {who,
          failover_rules{who, as.now, cluster_.settings()->failures.heartbeat,
                         node_.reach_from(member_address(who)), [this, who] { retired(who); }},
          as.old_lease};
}

standby_counts hosted_members::most_standbys(const node_roles& may) const {
  const auto& settings = *cluster_.settings();
  return {std::min(may.owners, owner_places(settings)),
          std::min(may.schedulers, settings.schedulers)};
}

void hosted_members::fill_standbys() {
  const auto own = most_standbys(node_.who.roles);
  const std::pair<role, std::uint32_t> roles[] = {{role::owner, own.owners},
                                                  {role::scheduler, own.schedulers}};
  for (const auto& [what, most] : roles)
    for (auto n = here_.count(what); n < most && !draining_; ++n)
      start_standby(what);
}

void hosted_members::start_standby(role what) {
  const auto number = cluster_.index() * standbys_per_node + standbys_started_[what]++;
  const address as{party::standby, what, number, 0};
  standby_config config;
  config.what = what;
  config.number = number;
  config.heartbeat = cluster_.settings()->failures.heartbeat;
  config.reach = node_.reach_from(as);
  config.start = [this, as](const promotion& to) {
    const std::lock_guard lock{node_.mutex};
    here_.remove(as);
    promote(to);
  };
  config.clock = cluster_.clock();
  here_.put(as,
            caf::actor_cast<caf::strong_actor_ptr>(node_.system.spawn(standby, std::move(config))));
}

void hosted_members::start(const promotion& as) {
  const auto handle = factory_->spawn(start_of(as));
  if (as.as.what == role::scheduler) // before anybody else can reach it
    policies_.tell(as.as, handle);
  here_.put(member_address(as.as), handle);
}

void hosted_members::start_master(const promotion& as, const std::vector<node_entry>& nodes) {
  auto with = start_of(as);
  for (const auto& n : nodes)
    if (n.present && !n.draining) {
      const auto of_node = most_standbys(n.who.roles);
      with.first.owners += of_node.owners;
      with.first.schedulers += of_node.schedulers;
    }
  here_.put(member_address(as.as), factory_->spawn(with));
}

void hosted_members::start_workload(const promotion& as, std::shared_ptr<job_source> source) {
  const auto handle = factory_->spawn_workload(start_of(as), std::move(source));
  here_.put(member_address(as.as), handle);
  caf::anon_send(caf::actor_cast<workload_actor>(handle), peers{});
}

void hosted_members::promote(const promotion& as) {
  log::info("node {}: {} {} started here as incarnation {}", node_.who.name, to_string(as.as.what),
            as.as.number, as.as.incarnation);
  start(as);
}

void hosted_members::retired(const member_entry& who) {
  const std::lock_guard lock{node_.mutex};
  log::info("node {}: {} {} has moved to another node", node_.who.name, to_string(who.what),
            who.number);
  here_.remove(member_address(who));
  node_.hooks.on_change();
  if (!draining_)
    start_standby(who.what);
}

void hosted_members::restart_schedulers() {
  const auto ended = here_.end(party::member, [](role r) { return r == role::scheduler; });
  if (ended.empty())
    return;
  log::info("node {}: the jobs are handed out anew, so {} schedulers begin anew", node_.who.name,
            ended.size());
  node_.hooks.on_change();
  if (!draining_)
    fill_standbys();
  for (const auto& who : ended) // or the master would wait until they are silent
    hand_over({who.what, who.number});
}

void hosted_members::hand_over(const member& who) const {
  if (const auto to = node_.mail->find({party::recorder, role::node, cluster_.index(), 0},
                                       member_address(role::master, 0)))
    caf::anon_send(caf::actor_cast<master_actor>(to), gone_atom_v, who);
}

bool hosted_members::drain() {
  if (std::exchange(draining_, true))
    return false;
  log::info("node {}: draining", node_.who.name);
  drains_since_ = std::chrono::steady_clock::now();
  here_.end(party::standby, [](role) { return true; });
  return true;
}

bool hosted_members::has_drained_for(duration time) const {
  return draining_ && std::chrono::steady_clock::now() - drains_since_ >= time;
}

bool hosted_members::is_empty() const {
  return std::ranges::none_of(here_.members(), [](const member_entry& m) {
    return m.what == role::owner || m.what == role::scheduler;
  });
}

} // namespace troupe
