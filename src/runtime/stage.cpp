#include "runtime/stage.hpp"

#include "actors/guarded_queue.hpp"
#include "actors/guarded_sparrow.hpp"
#include "actors/node.hpp"
#include "runtime/build_catalog.hpp"
#include "runtime/link.hpp"
#include "runtime/linker.hpp"
#include "runtime/virtual_coordinator.hpp"
#include "runtime/wire_config.hpp"
#include "settings/fields.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <stdexcept>

namespace troupe {

namespace {

/// A machine that is started again is far from all lives that it may have had: it takes a new one
/// whenever it has been on its own for too long.
constexpr incarnation lives_of_a_start = 1000;

/// The same of an allocator.
constexpr incarnation allocators_of_a_start = 100;

std::string name_of(role what, std::uint32_t number, incarnation life) {
  if (what == role::master || what == role::allocator)
    return to_string(what);
  const auto name = numbered(to_string(what).c_str(), number);
  const bool takes_over = (what == role::owner || what == role::scheduler) && life > 1;
  return takes_over ? name + "." + std::to_string(life) : name;
}

std::vector<network_cut> cuts_of(const run_settings& settings, const std::vector<fault>& faults) {
  std::vector<network_cut> cuts;
  for (const auto& c : settings.network.cuts)
    cuts.push_back({c.from, c.to, c.a, c.b});
  for (const auto& f : faults)
    if (f.of_network())
      cuts.push_back({f.from, f.to, f.a, f.b, f.kind == fault_kind::cut ? 1 : f.loss, f.delay});
  return cuts;
}

} // namespace

stage::stage(
  caf::actor_system& system, const run_settings& settings, const wiring_options& options,
  const std::vector<fault>& faults,
  const std::function<std::shared_ptr<executor>(std::shared_ptr<emulated_executor>)>& wrap)
  : system_(system),
    time_(virtual_coordinator::of(system)),
    settings_(settings),
    options_(options),
    probing_(any_probes(settings)),
    catalog_(std::make_shared<const catalog>(
      build_catalog(settings.cluster, settings.seed, settings.task_classes))),
    sources_(sources_of(settings)),
    emulated_(std::make_shared<emulated_executor>(settings.executor.tick)),
    runs_(wrap ? wrap(emulated_) : emulated_),
    machines_(std::make_shared<std::vector<task_host_actor>>(catalog_->machines())),
    pool_(default_group(settings)) {
  if (const auto why = why_not(settings); !why.empty())
    throw std::runtime_error(why);
  if (!options_.record)
    options_.record = std::make_shared<run_record>();
  for (std::uint32_t g = 0; g < sources_.size(); ++g)
    if (sources_[g]->has_dependencies())
      throw std::runtime_error("the tasks of group " + settings.groups[g].name +
                               " wait for others of their job, which does not survive failures");
  const auto& n = settings.network;
  const auto cuts = cuts_of(settings, faults);
  const auto origin = options.clock.origin;
  net_ = std::make_shared<network>(settings.seed, link_settings{n.latency, n.jitter, n.loss}, cuts,
                                   origin, false);
  machine_net_ = std::make_shared<network>(
    settings.seed, link_settings{n.machine_latency, n.jitter, n.loss}, cuts, origin, false);
  pool_.schedulers = settings.pool;
  if (settings.pool > 0)
    alike_.assign(settings.pool, {0, &pool_});
  else
    for (std::uint32_t g = 0; g < settings.groups.size(); ++g)
      alike_.insert(alike_.end(), settings.groups[g].schedulers, {g, &settings.groups[g]});
}

std::string stage::why_not(const run_settings& settings) {
  if (settings.clock != "virtual")
    return "failures take virtual time: clock = \"virtual\"";
  const auto all_are = [&](const char* actor) {
    return settings.pool > 0 ? settings.scheduler.actor == actor
                             : std::ranges::all_of(settings.groups, [&](const auto& g) {
                                 return g.scheduler.actor == actor;
                               });
  };
  if (!all_are("placing") && !all_are("sparrow"))
    return "schedulers can be replaced where all of them place tasks on a view, or all of them "
           "probe machines, and none is a plugin: scheduler.actor";
  if (!settings.cluster.trace.file.empty())
    return "machines from a trace come and go as it says, and fail in no other way: cluster.trace";
  return {};
}

stage::~stage() {
  for (auto& [_, all] : lives_)
    for (auto& one : all)
      if (!one.dead)
        caf::anon_send_exit(one.handle, caf::exit_reason::user_shutdown);
  if (recorder_)
    caf::anon_send_exit(recorder_, caf::exit_reason::user_shutdown);
  if (node_)
    caf::anon_send_exit(node_, caf::exit_reason::user_shutdown);
}

// -- who is where -------------------------------------------------------------------------------

void stage::add(role what, std::uint32_t number, incarnation life, caf::strong_actor_ptr handle) {
  lives_[{what, number}].push_back({what, number, life, std::move(handle)});
}

const stage::process* stage::latest(role what, std::uint32_t number) const {
  const auto it = lives_.find({what, number});
  return it == lives_.end() ? nullptr : &it->second.back();
}

caf::strong_actor_ptr stage::reach(const std::string& from, role what, std::uint32_t number,
                                   incarnation life) {
  const auto it = lives_.find({what, number});
  if (it == lives_.end())
    return nullptr;
  const stage::process* found = nullptr;
  for (const auto& one : it->second)
    if (life == 0 || one.number_of_life == life)
      found = &one;
  if (found == nullptr)
    return nullptr;
  auto& link = links_[{from, found->handle->id()}];
  const bool of_machine = what == role::machine || from.starts_with("machine");
  if (!link)
    link = make_link(system_, found->handle, of_machine ? machine_net_ : net_, from,
                     name_of(what, number, found->number_of_life));
  return link;
}

reach_function stage::reach_from(std::string name) {
  return [this, name = std::move(name)](role what, std::uint32_t number, incarnation life) {
    return reach(name, what, number, life);
  };
}

survival_rules stage::survival(role what, std::uint32_t number, incarnation life,
                               const roster& now) {
  return {{what, number, life},
          now,
          settings_.failures.heartbeat,
          reach_from(name_of(what, number, life)),
          [this, what] { spawn_candidate(what); }};
}

roster stage::first_roster() const {
  roster all{1, 0, {}};
  for (owner_id o = 0; o < owners(); ++o)
    all.entries.push_back({role::owner, o, 1});
  for (scheduler_id s = 0; s < settings_.schedulers; ++s)
    all.entries.push_back({role::scheduler, s, 1});
  return all;
}

// -- starting members ---------------------------------------------------------------------------

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
                  settings_.failures.timeout * 9 / 10,
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
  config.rules = {m, catalog_->machine(m).capacity, life, settings_.failures.timeout * 9 / 10};
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
  config.guard = {as.as.life, f.timeout, f.heartbeat, as.old_lease, f.owner_lease};
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
  config.rules = {as.as.life, std::move(stores), f.retries,   f.heartbeat,
                  f.timeout,  f.owner_lease,     as.old_lease};
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
  system_.spawn(candidate, std::move(config));
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

// -- failures -----------------------------------------------------------------------------------

bool stage::begin(const fault& f) {
  const auto it = lives_.find({f.what, f.number});
  if (it == lives_.end() || it->second.back().dead)
    return false;
  auto& victim = it->second.back();
  if (f.kind == fault_kind::freeze) {
    victim.frozen = true;
    time_.freeze(victim.handle->id());
    return true;
  }
  victim.dead = true;
  if (f.what == role::machine && probing_)
    usages_[f.number]->vanished(time_.now());
  // Who stands still stays so: not one of the messages that wait may be handled any more.
  if (!std::exchange(victim.frozen, false))
    caf::anon_send_exit(victim.handle, caf::exit_reason::kill);
  return true;
}

bool stage::end(const fault& f) {
  const auto it = lives_.find({f.what, f.number});
  if (it == lives_.end())
    return false;
  if (f.kind == fault_kind::freeze) {
    bool any = false;
    for (auto& one : it->second)
      if (std::exchange(one.frozen, false)) {
        time_.thaw(one.handle->id());
        any = true;
      }
    return any;
  }
  // The process of an owner or a scheduler is there again, whoever has taken over meanwhile.
  if (f.what == role::owner || f.what == role::scheduler) {
    spawn_candidate(f.what);
    return true;
  }
  const auto& last = it->second.back();
  if (!last.dead)
    return false;
  if (f.what == role::machine)
    spawn_machine(f.number, (last.number_of_life / lives_of_a_start + 1) * lives_of_a_start);
  else if (f.what == role::allocator)
    spawn_allocator((last.number_of_life / allocators_of_a_start + 1) * allocators_of_a_start);
  else
    spawn_master(last.number_of_life + 1);
  return true;
}

} // namespace troupe
