#include "actors/node.hpp"
#include "runtime/stage.hpp"
#include "runtime/wire_survival.hpp"

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
  const auto roster = places_of(settings_, 1);
  machine_config_ = std::make_shared<const machine_config>(machine_config{runs_, options_.clock});
  spawn_master(1);
  for (const auto& e : roster.entries)
    promote({e, duration{0}, roster});
  for (machine_id m = 0; m < catalog_->machines(); ++m)
    spawn_machine(m, 1);
  node_config config{runs_, options_.clock};
  config.guarded = machines_;
  config.meter = meter_;
  node_ = system_.spawn(node, std::move(config));
  runs_->attach(node_);
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
  auto config =
    guarded_queue_config_of(settings_, *catalog_, m, life, runs_, usages_.at(m), options_.clock);
  config.reach = reach_from(name_of(role::machine, m, life));
  const auto handle = system_.spawn(guarded_queue, std::move(config));
  (*machines_)[m] = handle;
  return caf::actor_cast<caf::strong_actor_ptr>(handle);
}

caf::strong_actor_ptr stage::spawn_host(machine_id m, incarnation life) {
  auto session = machine_session_config_of(settings_, *catalog_, m, life);
  session->reach = reach_from(name_of(role::machine, m, life));
  const auto handle = system_.spawn(machine, m, catalog_->machine(m).capacity, machine_config_,
                                    std::shared_ptr<const machine_session_config>{session});
  (*machines_)[m] = handle;
  return caf::actor_cast<caf::strong_actor_ptr>(handle);
}

void stage::spawn_machine(machine_id m, incarnation life) {
  add(role::machine, m, life, probing_ ? spawn_queue(m, life) : spawn_host(m, life));
}

void stage::spawn_owner(const promotion& as) {
  const auto& [what, number, life] = as.as;
  const auto handle = system_.spawn(
    owner, guarded_owner_config_of(settings_, as, catalog_, survival(what, number, life, as.now),
                                   options_.clock));
  add(what, number, life, caf::actor_cast<caf::strong_actor_ptr>(handle));
}

void stage::spawn_scheduler(const promotion& as) {
  const auto& [what, number, life] = as.as;
  auto rules = survival(what, number, life, as.now);
  const auto handle =
    probing_ ? caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(
                 guarded_sparrow, guarded_sparrow_config_of(settings_, as, catalog_,
                                                            std::move(rules), options_.clock)))
             : caf::actor_cast<caf::strong_actor_ptr>(system_.spawn(
                 scheduler, guarded_scheduler_config_of(settings_, as, catalog_, std::move(rules),
                                                        options_.record, options_.clock)));
  add(what, number, life, handle);
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
  const auto handle = system_.spawn(
    master, guarded_master_config_of(settings_, places_of(settings_, 1), life, options_.clock));
  add(role::master, 0, life, caf::actor_cast<caf::strong_actor_ptr>(handle));
}

void stage::spawn_allocator(incarnation life) {
  auto rules = survival(role::allocator, 0, life, places_of(settings_, 1));
  const auto handle = system_.spawn(
    allocator, guarded_allocator_config_of(settings_, catalog_, std::move(rules), options_.clock));
  add(role::allocator, 0, life, caf::actor_cast<caf::strong_actor_ptr>(handle));
}

void stage::spawn_workloads() {
  for (std::uint32_t g = 0; g < settings_.groups.size(); ++g) {
    auto rules = survival(role::workload, g, 1, places_of(settings_, 1));
    const auto handle =
      system_.spawn(workload, guarded_workload_config_of(settings_, g, sources_[g],
                                                         std::move(rules), options_.clock));
    add(role::workload, g, 1, caf::actor_cast<caf::strong_actor_ptr>(handle));
    caf::anon_send(handle, peers{});
  }
}

void stage::spawn_recorder() {
  auto config = guarded_recorder_config_of(settings_, *catalog_, options_.record, options_.clock);
  config.nodes = {node_};
  config.first_life = 1;
  config.reach = [this](role what, std::uint32_t number, incarnation) {
    const auto* one = latest(what, number);
    return one == nullptr || one->dead ? nullptr : one->handle;
  };
  recorder_ = system_.spawn(troupe::recorder, std::move(config));
}

} // namespace troupe
