#include "actors/guarded_queue.hpp"
#include "actors/guarded_sparrow.hpp"
#include "actors/node.hpp"
#include "runtime/stage.hpp"
#include "runtime/wire_config.hpp"
#include "settings/fields.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

// How the members of a cluster are started, at first and in later lives: that part of stage.
namespace troupe {

void stage::measure_queues() {
  meter_ =
    std::make_shared<queue_meter>(*catalog_, static_cast<std::uint32_t>(settings_.tenants.size()));
  for (machine_id m = 0; m < catalog_->machines(); ++m)
    usages_.push_back(std::make_shared<machine_usage>(catalog_->machine(m).capacity, meter_));
}

void stage::start(bool with_recorder) {
  if (probing_)
    measure_queues();
  const auto roster = first_roster();
  spawn_master(1);
  for (const auto& e : roster.entries)
    promote({e, duration{0}, roster});
  for (machine_id m = 0; m < catalog_->machines(); ++m)
    spawn_machine(m, 1);
  node_config config{emulated_, options_.clock};
  config.guarded = machines_;
  config.meter = meter_;
  node_ = system_.spawn(node, std::move(config));
  emulated_->attach(node_);
  if (settings_.sync.plan == "offers")
    spawn_allocator(1);
  spawn_workloads();
  for (std::uint32_t i = 0; i < settings_.failures.standby_owners && !probing_; ++i)
    spawn_candidate(role::owner);
  for (std::uint32_t i = 0; i < settings_.failures.standby_schedulers; ++i)
    spawn_candidate(role::scheduler);
  if (with_recorder)
    spawn_recorder();
}

caf::strong_actor_ptr stage::spawn_queue(machine_id m, incarnation life) {
  guarded_queue_config config;
  config.rules = {m,
                  catalog_->machine(m).capacity,
                  life,
                  settings_.failures.machine_timeout * 9 / 10,
                  settings_.schedulers,
                  discipline_of(settings_)};
  for (const auto& t : settings_.tenants)
    config.weights.push_back(t.weight);
  config.usage = usages_.at(m);
  config.heartbeat = settings_.failures.heartbeat;
  config.runs_on = runs_;
  config.reach = reach_from(name_of(role::machine, m, life));
  config.clock = options_.clock;
  return caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(guarded_queue, std::move(config)));
}

void stage::spawn_machine(machine_id m, incarnation life) {
  if (probing_) {
    auto handle = spawn_queue(m, life);
    (*machines_)[m] = caf::actor_cast<task_host_actor>(handle);
    add(role::machine, m, life, std::move(handle));
    return;
  }
  guarded_machine_config config;
  config.rules = {m, catalog_->machine(m).capacity, life,
                  settings_.failures.machine_timeout * 9 / 10};
  config.owner = owners_of(settings_)[catalog_->place_of(m).partition];
  config.heartbeat = settings_.failures.heartbeat;
  config.runs_on = runs_;
  config.reach = reach_from(name_of(role::machine, m, life));
  config.clock = options_.clock;
  const auto handle = system_.spawn(guarded_machine, std::move(config));
  (*machines_)[m] = handle;
  add(role::machine, m, life, caf::actor_cast<caf::strong_actor_ptr>(handle));
}

void stage::spawn_owner(const promotion& as) {
  auto config = owner_config_of(settings_, as.as.number, catalog_, options_.clock);
  const auto& f = settings_.failures;
  config.watch_machines = false;
  config.survival = survival(role::owner, as.as.number, as.as.life, as.now);
  config.guard = {as.as.life,  f.timeout,    f.machine_timeout,
                  f.heartbeat, as.old_lease, f.owner_lease};
  add(role::owner, as.as.number, as.as.life,
      caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(owner, std::move(config))));
}

random_stream stage::random_of(const roster_entry& scheduler) const {
  return random_stream::derive(settings_.seed, "scheduler",
                               scheduler.number | (std::uint64_t{scheduler.life - 1} << 32));
}

caf::strong_actor_ptr stage::spawn_sparrow(const promotion& as, std::vector<std::uint32_t> stores) {
  const auto& f = settings_.failures;
  const auto& [group, alike] = alike_.at(as.as.number);
  guarded_sparrow_config config;
  config.id = as.as.number;
  config.group = group;
  config.machines = catalog_;
  config.limits = probing_limits(alike->scheduler, settings_);
  config.rules = {as.as.life, std::move(stores), f.retries,     f.heartbeat,
                  f.timeout,  f.machine_timeout, f.owner_lease, as.old_lease};
  config.survival = survival(role::scheduler, as.as.number, as.as.life, as.now);
  config.random = random_of(as.as);
  config.clock = options_.clock;
  return caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(guarded_sparrow, std::move(config)));
}

void stage::spawn_scheduler(const promotion& as) {
  const auto s = as.as.number;
  const auto& [group, alike] = alike_.at(s);
  std::vector<std::uint32_t> stores;
  for (std::uint32_t g = 0; g < settings_.groups.size(); ++g)
    if (settings_.pool > 0 || g == group)
      stores.push_back(g);
  if (probing_) {
    add(role::scheduler, s, as.as.life, spawn_sparrow(as, std::move(stores)));
    return;
  }
  auto config =
    scheduler_config_of(settings_, *alike, group, s, catalog_, options_.record, options_.clock);
  config.survival = survival(role::scheduler, s, as.as.life, as.now);
  config.retries = settings_.failures.retries;
  config.random = random_of(as.as);
  config.stores = std::move(stores);
  add(role::scheduler, s, as.as.life,
      caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(scheduler, std::move(config))));
}

void stage::promote(const promotion& as) {
  as.as.what == role::owner ? spawn_owner(as) : spawn_scheduler(as);
}

void stage::spawn_candidate(role what) {
  const auto number = candidates_[what]++;
  candidate_config config;
  config.what = what;
  config.number = number;
  config.heartbeat = settings_.failures.heartbeat;
  config.reach = reach_from("candidate-" + name_of(what, number, 1));
  config.start = [this](const promotion& as) { promote(as); };
  config.clock = options_.clock;
  waiting_.push_back(system_.spawn(candidate, std::move(config)));
}

void stage::spawn_master(incarnation life) {
  const auto& f = settings_.failures;
  master_config config;
  config.plan = plan_of(settings_);
  config.owner_of = probing_ ? std::vector<owner_id>{} : owners_of(settings_);
  config.clock = options_.clock;
  config.places = first_roster().entries;
  config.rules = {life, f.timeout, f.owner_lease,
                  static_cast<std::uint32_t>(settings_.groups.size())};
  config.heartbeat = f.heartbeat;
  add(role::master, 0, life,
      caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(master, std::move(config))));
}

void stage::spawn_allocator(incarnation life) {
  auto config = allocator_config_of(settings_, catalog_, options_.clock);
  config.owners = settings_.cluster.owners;
  config.survival = survival(role::allocator, 0, life, first_roster());
  config.survival->retire = {};
  add(role::allocator, 0, life,
      caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(allocator, std::move(config))));
}

void stage::spawn_workloads() {
  scheduler_id first = 0;
  for (std::uint32_t g = 0; g < settings_.groups.size(); ++g) {
    auto config =
      workload_config_of(settings_, settings_.groups[g], g, sources_[g], options_.clock);
    const auto n = settings_.pool > 0 ? settings_.pool : settings_.groups[g].schedulers;
    config.survival = survival(role::workload, g, 1, first_roster());
    config.first_scheduler = settings_.pool > 0 ? 0 : first;
    config.schedulers = n;
    first += n;
    const auto handle = system_.spawn(workload, std::move(config));
    add(role::workload, g, 1, caf::actor_cast<caf::strong_actor_ptr>(handle));
    caf::anon_send(handle, peers{});
  }
}

void stage::spawn_recorder() {
  recorder_config config;
  config.interval = settings_.interval;
  config.nodes = {node_};
  config.groups = static_cast<std::uint32_t>(settings_.groups.size());
  if (settings_.tenants.size() > 1)
    config.capacity = total_capacity(*catalog_);
  config.reach = [this](role what, std::uint32_t number, incarnation) {
    const auto* one = latest(what, number);
    return one == nullptr || one->dead ? nullptr : one->handle;
  };
  config.members[0] = settings_.schedulers;
  config.members[1] = owners();
  config.members[2] = config.groups;
  config.record = options_.record;
  config.clock = options_.clock;
  recorder_ = system_.spawn(troupe::recorder, std::move(config));
}

} // namespace troupe
