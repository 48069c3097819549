#include "nodes/residence.hpp"

#include "actors/candidate.hpp"
#include "nodes/acquaintances.hpp"
#include "nodes/life_file.hpp"
#include "nodes/process_usage.hpp"
#include "nodes/utc_clock.hpp"
#include "runtime/build_catalog.hpp"
#include "runtime/wire_config.hpp"
#include "runtime/wire_queues.hpp"
#include "runtime/wire_survival.hpp"
#include "settings/read.hpp"

#include <caf/all.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace troupe {

namespace {

/// A candidate's number says where it lives, so that the master can spread places over nodes.
constexpr std::uint32_t candidates_per_node = 1 << 16;

/// An allocator takes another life whenever an owner or a scheduler does: each start of one has
/// room for so many. Should it need more, owners tell it which it has to be above.
constexpr incarnation lives_of_an_allocator = 64;

/// Machines with queues that a scheduler calls every heartbeat until they are in session: all of
/// them at once would keep it from showing signs of life.
constexpr std::uint32_t calls_per_heartbeat = 1000;

snapshot_sizes sizes_of(const catalog& of, std::uint32_t owners) {
  snapshot_sizes sizes{owners, of.columns().size(), {}};
  for (partition_id p = 0; p < of.partitions(); ++p)
    sizes.machines.push_back(static_cast<std::uint32_t>(of.members(p).size()));
  return sizes;
}

} // namespace

residence::residence(caf::actor_system& system, std::shared_ptr<post> mail, node_identity who,
                     std::filesystem::path state)
  : system_(system), mail_(std::move(mail)), who_(std::move(who)), state_(std::move(state)) {}

residence::~residence() {
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
    if (rack_)
      rack_->quit(all);
  }
  // Some of them may be about to call back.
  caf::scoped_actor self{system_};
  self->wait_for(all);
}

instant residence::now() const {
  return system_.clock().now() - clock_.origin;
}

// -- how members find each other ----------------------------------------------------------------

reach_function residence::reach_from(const address& from) {
  return [known = std::make_shared<acquaintances>(mail_, from)](role what, std::uint32_t number,
                                                                incarnation life) {
    return known->find(what, number, life);
  };
}

survival_rules residence::survival(const roster_entry& as, const roster& now) {
  return {as, now, settings_->failures.heartbeat,
          reach_from(member_address(as.what, as.number, as.life)), [this, as] { retired(as); }};
}

void residence::put(const address& who, caf::strong_actor_ptr handle) {
  living_[who] = handle;
  mail_->settle(who, std::move(handle));
  on_change();
}

// -- the life of a node -------------------------------------------------------------------------

void residence::welcome(const node_welcome& as) {
  const std::lock_guard lock{mutex_};
  index_ = as.index;
  machines_ = as.machines;
  if (settings_)
    return;
  settings_ = parse_settings(as.settings, "the master's settings");
  settings_->failures.watch = "on"; // whatever the settings say of runs in virtual time
  if (who_.roles.owners > 0 && owner_places(*settings_) == 0)
    spdlog::info("node {}: schedulers probe machines here, so there are no owners", who_.name);
}

void residence::learn(const node_list& nodes) {
  const std::lock_guard lock{mutex_};
  machine_nodes_.clear();
  for (const auto& e : nodes.nodes) {
    if (e.machines.count > 0 && e.present)
      machine_nodes_.push_back(e.index);
    if (e.index == index_ && e.draining)
      drain();
  }
  if (nodes.origin != 0 && settings_ && !std::exchange(begun_, true)) {
    catalog_ = std::make_shared<const catalog>(
      build_catalog(settings_->cluster, settings_->seed, settings_->task_classes, nodes.described));
    mail_->expect(sizes_of(*catalog_, owner_places(*settings_)));
    begin(nodes.origin);
  }
}

void residence::begin(std::int64_t origin) {
  clock_ = clock_since(system_.clock(), origin);
  origin_ = origin;
  resumes_ = now() > std::chrono::seconds{1};
  if (who_.roles.machines > 0)
    start_machines();
  if (who_.roles.master)
    start_master();
  fill_candidates();
}

void residence::start_machines() {
  const auto life = life_by_clock();
  rack_.emplace(system_, *settings_, catalog_, machines_, life, clock_,
                [&](machine_id m) { return reach_from(member_address(role::machine, m, life)); });
  for (auto m = machines_.first; m < machines_.first + machines_.count; ++m)
    mail_->settle(member_address(role::machine, m, life),
                  caf::actor_cast<caf::strong_actor_ptr>(rack_->machines()[m]));
  mail_->settle(member_address(role::node, index_, life),
                caf::actor_cast<caf::strong_actor_ptr>(rack_->node()));
  on_change();
}

void residence::start_master() {
  master_life_ = next_life(state_ / "master-life");
  put(member_address(role::master, 0, master_life_),
      caf::actor_cast<caf::strong_actor_ptr>(
        system_.spawn(master, guarded_master_config_of(*settings_, places_of(*settings_, 0),
                                                       master_life_, clock_))));
}

/// How long machines and owners have to find each other, and views to be refreshed, before the
/// first job is due.
duration residence::lead() const {
  const auto calls = any_probes(*settings_) ? settings_->cluster.machines / calls_per_heartbeat : 0;
  return settings_->failures.heartbeat * (2 + calls) + settings_->sync.gap;
}

void residence::start_allocator() {
  const std::lock_guard lock{mutex_};
  if (has_allocator_ || !begun_ || !who_.roles.master || settings_->sync.plan != "offers")
    return;
  if (!offers_from_ && mail_->knows(member_address(role::workload, 0, 0)))
    offers_from_ = now() + (resumes_ ? duration{0} : lead());
  if (!offers_from_ || now() < *offers_from_)
    return;
  has_allocator_ = true;
  const roster_entry as{role::allocator, 0,
                        next_life(state_ / "allocator-life") * lives_of_an_allocator};
  put(member_address(as.what, as.number, as.life),
      caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(
        allocator, guarded_allocator_config_of(*settings_, catalog_,
                                               survival(as, places_of(*settings_, 0)), clock_))));
}

// -- candidates, and what becomes of them -------------------------------------------------------

void residence::fill_candidates() {
  const std::pair<role, std::uint32_t> roles[] = {
    {role::owner, std::min(who_.roles.owners, owner_places(*settings_))},
    {role::scheduler, std::min(who_.roles.schedulers, settings_->schedulers)}};
  for (const auto& [what, most] : roles) {
    const auto as = what;
    const auto there = static_cast<std::uint32_t>(
      std::ranges::count_if(living_, [&](const auto& l) { return l.first.what == as; }));
    for (auto n = there; n < most && !draining_; ++n)
      start_candidate(what);
  }
}

void residence::start_candidate(role what) {
  const auto number = index_ * candidates_per_node + candidates_started_[what]++;
  const address as{party::candidate, what, number, 0};
  candidate_config config;
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
  put(as, caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(candidate, std::move(config))));
}

caf::strong_actor_ptr residence::start_member(const promotion& as) {
  auto rules = survival(as.as, as.now);
  if (as.as.what == role::owner)
    return caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(
      owner, guarded_owner_config_of(*settings_, as, catalog_, std::move(rules), clock_)));
  if (any_probes(*settings_)) {
    auto config = guarded_sparrow_config_of(*settings_, as, catalog_, std::move(rules), clock_);
    config.rules.calls = calls_per_heartbeat;
    return caf::actor_cast<caf::strong_actor_ptr>(
      system_.spawn(guarded_sparrow, std::move(config)));
  }
  return caf::actor_cast<caf::strong_actor_ptr>(
    system_.spawn(scheduler, guarded_scheduler_config_of(*settings_, as, catalog_, std::move(rules),
                                                         record_, clock_)));
}

void residence::promote(const promotion& as) {
  spdlog::info("node {}: {} {} started here as life {}", who_.name, to_string(as.as.what),
               as.as.number, as.as.life);
  put(member_address(as.as.what, as.as.number, as.as.life), start_member(as));
}

void residence::retired(const roster_entry& who) {
  const std::lock_guard lock{mutex_};
  const auto as = member_address(who.what, who.number, who.life);
  spdlog::info("node {}: {} {} has moved to another node", who_.name, to_string(who.what),
               who.number);
  living_.erase(as);
  mail_->leave(as);
  on_change();
  if (!draining_)
    start_candidate(who.what);
}

void residence::hand_over(const member& who) {
  if (const auto to =
        mail_->find({party::recorder, role::node, index_, 0}, member_address(role::master, 0, 0)))
    caf::anon_send(caf::actor_cast<guarded_master_actor>(to), gone_atom_v, who);
}

void residence::drain() {
  if (std::exchange(draining_, true))
    return;
  spdlog::info("node {}: draining", who_.name);
  std::erase_if(living_, [&](const auto& l) {
    if (l.first.kind != party::candidate)
      return false;
    caf::anon_send_exit(l.second, caf::exit_reason::user_shutdown);
    mail_->leave(l.first);
    return true;
  });
  if (rack_)
    rack_->leave();
}

bool residence::is_empty() {
  const std::lock_guard lock{mutex_};
  return (!rack_ || rack_->is_empty()) && std::ranges::none_of(living_, [](const auto& l) {
           return l.first.kind == party::member &&
                  (l.first.what == role::owner || l.first.what == role::scheduler);
         });
}

// -- what it tells ------------------------------------------------------------------------------

node_report residence::report() {
  const std::lock_guard lock{mutex_};
  node_report r;
  r.index = index_;
  for (const auto& [who, _] : living_)
    if (who.kind == party::member)
      r.members.push_back({who.what, who.number, who.life});
  if (rack_) {
    r.machines_up = machines_.count;
    const auto status = rack_->status();
    r.launched = status.launched;
    r.tasks_running = status.launched - status.ended;
  }
  const auto carried = mail_->counts();
  r.bytes_sent = carried.bytes_sent;
  r.sync_bytes = carried.sync_bytes;
  r.parcels_sent = carried.parcels_sent;
  r.parcels_dropped = carried.dropped;
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

cluster_report residence::describe(const node_list& nodes) const {
  const std::lock_guard lock{mutex_};
  cluster_report all;
  all.nodes = nodes;
  all.origin = nodes.origin;
  all.master = master_life_;
  if (!settings_)
    return all;
  all.name = settings_->name;
  all.architecture = settings_->architecture;
  all.machines = settings_->cluster.machines;
  all.places = places_of(*settings_, 0).entries;
  if (begun_)
    all.now = now();
  return all;
}

} // namespace troupe
