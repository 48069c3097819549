#include "nodes/agent/node_agent.hpp"

#include "actors/common/standby.hpp"
#include "actors/master/member_table.hpp"
#include "model/base/log.hpp"
#include "nodes/agent/incarnation_file.hpp"
#include "nodes/agent/settings_shape.hpp"
#include "nodes/clocks/utc_clock.hpp"
#include "nodes/routing/handle_cache.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "settings/toml/read.hpp"

#include <caf/all.hpp>

#include <algorithm>

namespace troupe {

namespace {

/// A standby's number says where it lives, so that the master can spread places over nodes.
constexpr std::uint32_t standbys_per_node = 1 << 16;

/// An allocator takes another incarnation whenever an owner or a scheduler does: each start of one
/// has room for so many. Should it need more, owners tell it which it has to be above.
constexpr incarnation_id incarnations_of_an_allocator = 64;

snapshot_sizes sizes_of(const catalog& of, std::uint32_t owners) {
  snapshot_sizes sizes{owners, of.columns().size(), {}};
  for (partition_id p = 0; p < of.partitions(); ++p)
    sizes.machines.push_back(static_cast<std::uint32_t>(of.members(p).size()));
  return sizes;
}

std::string numbers_text(std::uint32_t index, const machine_numbers& machines) {
  auto text = "number " + std::to_string(index);
  if (machines.count > 0)
    text += ", with machines " + std::to_string(machines.first) + " to " +
            std::to_string(machines.first + machines.count - 1);
  return text;
}

} // namespace

node_agent::node_agent(caf::actor_system& system, std::shared_ptr<message_router> mail,
                       node_identity who, std::filesystem::path state)
  : system_(system), mail_(std::move(mail)), who_(std::move(who)), state_(std::move(state)) {
  record_->live = std::make_shared<live_board>(false);
}

node_agent::~node_agent() {
  std::vector<caf::strong_actor_ptr> all;
  const auto quit = [&](const auto& handle) {
    if (!handle)
      return;
    caf::anon_send_exit(handle, caf::exit_reason::user_shutdown);
    all.push_back(caf::actor_cast<caf::strong_actor_ptr>(handle));
  };
  {
    const std::lock_guard lock{mutex_};
    quit(recorder_);
    for (const auto& [_, handle] : living_)
      quit(handle);
    if (emulated_)
      emulated_->quit(all);
  }
  // Some of them may be about to call back.
  caf::scoped_actor self{system_};
  self->wait_for(all);
}

instant node_agent::now() const {
  return system_.clock().now() - clock_.origin;
}

// -- how members find each other ----------------------------------------------------------------

reach_function node_agent::reach_from(const address& from) {
  return [known = std::make_shared<handle_cache>(mail_, from)](role what, std::uint32_t number,
                                                               incarnation_id incarnation) {
    return known->find(what, number, incarnation);
  };
}

member_start node_agent::start_of(const promotion& as) {
  const auto& who = as.as;
  return {who,
          failover_rules{who, as.now, settings_->failures.heartbeat,
                         reach_from(member_address(who.what, who.number, who.incarnation)),
                         [this, who] { retired(who); }},
          as.old_lease};
}

void node_agent::put(const address& who, caf::strong_actor_ptr handle) {
  living_[who] = handle;
  mail_->settle(who, std::move(handle));
  on_change();
}

// -- begin and end -----------------------------------------------------------------------------

void node_agent::welcome(const node_welcome& as) {
  const std::lock_guard lock{mutex_};
  check_same_cluster(as);
  index_ = as.index;
  if (!begun_ || !catalog_->grows()) // else the list of nodes says it
    machines_ = as.machines;
  if (begun_ || as.settings == settings_text_)
    return;
  settings_ = parse_settings(as.settings, "the master's settings");
  settings_text_ = as.settings;
  settings_->failures.watch = watch_kind::on; // processes can always fail
  if (who_.roles.owners > 0 && owner_places(*settings_) == 0)
    log::info("node {}: schedulers probe machines here, so there are no owners", who_.name);
}

/// Throws `std::runtime_error` if members that live here cannot go on in the cluster of the master.
void node_agent::check_same_cluster(const node_welcome& as) const {
  if (!begun_)
    return;
  if (const auto why = shape_difference(settings_text_, as.settings); !why.empty())
    throw std::runtime_error("the master was started with other settings than those that this node "
                             "runs by: " +
                             why + "; start this node again, or the master with its former ones");
  const bool other = !catalog_->grows() && as.origin != 0 && as.origin != origin_;
  const bool moved = !catalog_->grows() && as.machines != machines_;
  if (other)
    throw std::runtime_error("the master has begun another cluster than the one that this node "
                             "belongs to; start this node again");
  if (moved || as.index != index_)
    throw std::runtime_error("this node is " + numbers_text(index_, machines_) +
                             ", and the master, which does not know that, makes it " +
                             numbers_text(as.index, as.machines) + "; start this node again");
}

void node_agent::learn(const node_list& nodes) {
  const std::lock_guard lock{mutex_};
  nodes_ = nodes.nodes;
  machine_nodes_.clear();
  for (const auto& e : nodes.nodes) {
    if (e.machines.count > 0 && e.present)
      machine_nodes_.push_back(e.index);
    if (e.index == index_ && e.draining)
      drain();
  }
  if (nodes.origin != 0 && settings_ && !std::exchange(begun_, true)) {
    auto made = build_machines(*settings_, nodes.described, windows_begin(nodes.origin));
    schedules_.of = schedules_of(made);
    catalog_ = std::make_shared<const catalog>(std::move(made.machines));
    mail_->expect(sizes_of(*catalog_, owner_places(*settings_)));
    if (catalog_->grows())
      catalog_->growth()->set(nodes.described);
    begin(nodes.origin);
  }
  if (begun_ && catalog_->grows())
    learn_places(nodes);
  learn_policies(nodes.policies);
}

/// What the times of windows count from: where commands run they are in UTC, from 1970 on.
std::shared_ptr<const run_begin> node_agent::windows_begin(std::int64_t origin) const {
  if (!settings_->runs_commands())
    return schedules_.begin;
  return std::make_shared<const run_begin>(instant{-origin});
}

void node_agent::begin(std::int64_t origin) {
  clock_ = clock_since(system_.clock(), origin);
  origin_ = origin;
  members_.emplace(system_, *settings_, member_parts{catalog_, record_, clock_});
  // The clocks of hosts differ a little; the master's own has told the time at which all begins,
  // unless it has gone back since.
  resumes_ = now() > std::chrono::seconds{1} ||
             (who_.roles.master && (made_at_ > origin || now() < instant{0}));
  if (who_.roles.machines > 0)
    start_machines();
  if (who_.roles.master)
    start_master();
  fill_standbys();
}

/// Returns the number of this time of a member that only the node with the master has.
incarnation_id node_agent::next_number(const char* file) const {
  return term != 0 ? term : next_incarnation(state_ / file);
}

/// Returns the incarnation of a member that only this node has: by the clock, which others can tell
/// the time from, unless the clock has gone back.
incarnation_id node_agent::timed_number(const char* file) const {
  return static_cast<incarnation_id>(rising_number(state_ / file, life_by_clock()));
}

void node_agent::start_master() {
  master_incarnation_ = next_number("master-incarnation");
  if (master_incarnation_ > most_masters)
    throw std::runtime_error(
      "this cluster has had " + std::to_string(most_masters) +
      " masters, and there are no numbers for more; expected a new --state, or a "
      "new database, with the jobs of this one ('troupe store export', 'import')");
  start_member({{role::master, 0, master_incarnation_}, duration{0}, places_of(*settings_, 0)});
}

/// How long machines and owners have to find each other, and views to be refreshed, before the
/// first job is due.
duration node_agent::lead() const {
  const auto calls =
    any_probes(*settings_) ? settings_->cluster.machines / settings_->sparrow.session_calls : 0;
  return settings_->failures.heartbeat * (2 + calls) + settings_->sync.gap;
}

/// All nodes can tell when the first job is due from the incarnation of the workload.
instant node_agent::work_begins(incarnation_id workload) const {
  return instant{begin_of_incarnation(workload) - origin_} + lead();
}

/// Whether machines follow a trace or windows from the time on at which the first job is due.
bool node_agent::follows_work() const {
  return !catalog_->grows() && (!schedules_.of.empty() || catalog_->windows() != nullptr);
}

void node_agent::follow_trace() {
  const std::lock_guard lock{mutex_};
  const auto workload = member_address(role::workload, 0, 0);
  if (begun_ && follows_work() && mail_->knows(workload))
    schedules_.begin->set(work_begins(mail_->incarnation_of(workload)));
}

void node_agent::start_allocator() {
  const std::lock_guard lock{mutex_};
  if (has_allocator_ || !begun_ || !who_.roles.master ||
      settings_->sync.plan != sync_plan_kind::offers)
    return;
  if (!offers_from_ && mail_->knows(member_address(role::workload, 0, 0)))
    offers_from_ = now() + (resumes_ ? duration{0} : lead());
  if (!offers_from_ || now() < *offers_from_)
    return;
  has_allocator_ = true;
  start_member(
    {{role::allocator, 0, next_number("allocator-incarnation") * incarnations_of_an_allocator},
     duration{0},
     places_of(*settings_, 0)});
}

// -- standbys and promotions -------------------------------------------------------------------

void node_agent::fill_standbys() {
  const std::pair<role, std::uint32_t> roles[] = {
    {role::owner, std::min(who_.roles.owners, owner_places(*settings_))},
    {role::scheduler, std::min(who_.roles.schedulers, settings_->schedulers)}};
  for (const auto& [what, most] : roles) {
    const auto as = what;
    const auto there = static_cast<std::uint32_t>(
      std::ranges::count_if(living_, [&](const auto& l) { return l.first.what == as; }));
    for (auto n = there; n < most && !draining_; ++n)
      start_standby(what);
  }
}

void node_agent::start_standby(role what) {
  const auto number = index_ * standbys_per_node + standbys_started_[what]++;
  const address as{party::standby, what, number, 0};
  standby_config config;
  config.what = what;
  config.number = number;
  config.heartbeat = settings_->failures.heartbeat;
  config.reach = reach_from(as);
  config.start = [this, as](const promotion& to) {
    const std::lock_guard lock{mutex_};
    living_.erase(as);
    mail_->leave(as);
    promote(to);
  };
  config.clock = clock_;
  put(as, caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(standby, std::move(config))));
}

void node_agent::start_member(const promotion& as) {
  const auto handle = members_->spawn(start_of(as));
  if (as.as.what == role::scheduler) // before anybody else can reach it
    tell_policy(as.as, handle);
  put(member_address(as.as.what, as.as.number, as.as.incarnation), handle);
}

void node_agent::promote(const promotion& as) {
  log::info("node {}: {} {} started here as incarnation {}", who_.name, to_string(as.as.what),
            as.as.number, as.as.incarnation);
  start_member(as);
}

void node_agent::retired(const member_entry& who) {
  const std::lock_guard lock{mutex_};
  const auto as = member_address(who.what, who.number, who.incarnation);
  log::info("node {}: {} {} has moved to another node", who_.name, to_string(who.what), who.number);
  living_.erase(as);
  mail_->leave(as);
  on_change();
  if (!draining_)
    start_standby(who.what);
}

void node_agent::hand_over(const member& who) {
  if (const auto to =
        mail_->find({party::recorder, role::node, index_, 0}, member_address(role::master, 0, 0)))
    caf::anon_send(caf::actor_cast<master_actor>(to), gone_atom_v, who);
}

void node_agent::drain() {
  if (std::exchange(draining_, true))
    return;
  log::info("node {}: draining", who_.name);
  drains_since_ = std::chrono::steady_clock::now();
  std::erase_if(living_, [&](const auto& l) {
    if (l.first.kind != party::standby)
      return false;
    caf::anon_send_exit(l.second, caf::exit_reason::user_shutdown);
    mail_->leave(l.first);
    return true;
  });
  if (emulated_)
    emulated_->leave();
}

bool node_agent::is_empty(bool but_for_tasks) {
  const std::lock_guard lock{mutex_};
  return (but_for_tasks || !emulated_ || emulated_->is_empty()) &&
         std::ranges::none_of(living_, [](const auto& l) {
           return l.first.kind == party::member &&
                  (l.first.what == role::owner || l.first.what == role::scheduler);
         });
}

} // namespace troupe
