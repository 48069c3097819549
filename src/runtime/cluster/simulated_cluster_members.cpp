#include "runtime/cluster/places.hpp"
#include "runtime/cluster/simulated_cluster.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

// How simulated_cluster starts its members, at first and in later incarnations.
namespace troupe {

void simulated_cluster::start(bool with_recorder) {
  const auto membership = places_of(settings_, 1);
  spawn_member(start_of(role::master, 0, 1));
  for (const auto& e : membership.entries)
    spawn_member(start_of({e, duration{0}, membership}));
  for (machine_id m = 0; m < catalog_->machines(); ++m)
    spawn_machine(m, 1);
  node_ = machines_->spawn_node();
  if (settings_.sync.plan == sync_plan_kind::offers)
    spawn_member(start_of(role::allocator, 0, 1));
  spawn_workloads();
  for (std::uint32_t i = 0; i < settings_.failures.standby_owners && owner_places(settings_) > 0;
       ++i)
    spawn_standby(role::owner);
  for (std::uint32_t i = 0; i < settings_.failures.standby_schedulers; ++i)
    spawn_standby(role::scheduler);
  if (with_recorder)
    spawn_recorder();
}

void simulated_cluster::spawn_machine(machine_id m, incarnation_id incarnation) {
  if (const auto& plan = options_.growth)
    if (const auto* joins = plan->find(m, time_.now()))
      catalog_->growth()->set({{m, joins->is}});
  machine_start start;
  start.incarnation = incarnation;
  start.reach = reach_from(name_of(role::machine, m, incarnation));
  start.reach_machines = reach_from("machines"); // else there would be a link for every pair
  add(role::machine, m, incarnation, machines_->spawn(m, start));
}

void simulated_cluster::spawn_member(const member_start& start) {
  add(start.as.what, start.as.number, start.as.incarnation, members_->spawn(start));
}

void simulated_cluster::spawn_standby(role what) {
  const auto number = standbys_[what]++;
  standby_config config;
  config.what = what;
  config.number = number;
  config.heartbeat = settings_.failures.heartbeat;
  config.reach = reach_from("standby-" + name_of(what, number, 1));
  config.start = [this, by = config.number](const promotion& as) {
    const auto& place = as.as;
    takeovers_.push_back({time_.now(), run_event_kind::takeover,
                          to_string(place.what) + '.' + std::to_string(place.number),
                          "standby " + std::to_string(by) + " of the " + to_string(place.what) +
                            "s, as incarnation " + std::to_string(place.incarnation)});
    spawn_member(start_of(as));
  };
  config.clock = options_.clock;
  waiting_.push_back(system_.spawn(standby, std::move(config)));
}

void simulated_cluster::spawn_workloads() {
  for (std::uint32_t g = 0; g < settings_.groups.size(); ++g) {
    auto handle = members_->spawn_workload(start_of(role::workload, g, 1), sources_[g]);
    add(role::workload, g, 1, handle);
    caf::anon_send(caf::actor_cast<workload_actor>(handle), peers{});
  }
}

void simulated_cluster::spawn_recorder() {
  auto config = recorder_config_of(settings_, members_->parts());
  config.nodes = {node_};
  config.first_incarnation = 1;
  config.reach = [this](role what, std::uint32_t number, incarnation_id) {
    const auto* one = latest(what, number);
    return one == nullptr || one->dead ? nullptr : one->handle;
  };
  config.finds_allocator = settings_.sync.plan == sync_plan_kind::offers;
  recorder_ = system_.spawn(troupe::recorder, std::move(config));
}

} // namespace troupe
