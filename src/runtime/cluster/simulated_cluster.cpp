#include "runtime/cluster/simulated_cluster.hpp"

#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/build_catalog.hpp"
#include "runtime/cluster/make_executor.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/state_of.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/cluster/windows_of.hpp"
#include "runtime/network/link.hpp"
#include "runtime/network/linker.hpp"
#include "runtime/time/virtual_coordinator.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <algorithm>

namespace troupe {

namespace {

/// A machine that is started again is far from all incarnations that it may have had: it takes a
/// new one whenever it has been on its own for too long.
constexpr incarnation_id incarnations_of_a_start = 1000;

/// The same of an allocator.
constexpr incarnation_id allocators_of_a_start = 100;

bool has_ended(caf::actor_control_block& who) {
  return who.get()->getf(caf::abstract_actor::is_cleaned_up_flag);
}

/// How many incarnations of a member are known at a time.
constexpr std::size_t incarnations_kept = 8;

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

simulated_cluster::simulated_cluster(
  caf::actor_system& system, const run_settings& settings, const assembly_options& options,
  const std::vector<fault>& faults,
  const std::function<std::shared_ptr<node_executor>(std::shared_ptr<node_executor>)>& wrap)
  : system_(system),
    time_(virtual_coordinator::of(system)),
    settings_(settings),
    options_(options),
    probing_(any_probes(settings)),
    sources_(sources_of(settings)),
    runs_(wrap ? wrap(make_executor(settings, true)) : make_executor(settings, true)) {
  make_machines();
  if (!options_.record)
    options_.record = std::make_shared<run_record>();
  make_factories();
  const auto& n = settings.network;
  const auto cuts = cuts_of(settings, faults);
  const auto origin = options.clock.origin;
  net_ = std::make_shared<network>(settings.seed, link_settings{n.latency, n.jitter, n.loss}, cuts,
                                   origin, false);
  machine_net_ = std::make_shared<network>(
    settings.seed, link_settings{n.machine_latency, n.jitter, n.loss}, cuts, origin, false);
}

void simulated_cluster::make_machines() {
  if (options_.growth) {
    auto made = build_growing_catalog(settings_.cluster, settings_.seed);
    made.set_windows(windows_of(settings_, made));
    catalog_ = std::make_shared<const catalog>(std::move(made));
    schedules_.of = options_.growth->capacities();
    schedules_.begin->set(instant{0});
    return;
  }
  auto made = build_machines(settings_);
  schedules_.of = schedules_of(made);
  schedules_.begin->set(instant{0});
  catalog_ = std::make_shared<const catalog>(std::move(made.machines));
}

void simulated_cluster::make_factories() {
  members_.emplace(system_, settings_,
                   member_parts{catalog_, options_.record, options_.clock, true, options_.watch,
                                options_.withdrawals});
  machine_parts parts{catalog_, runs_, options_.clock, true, schedules_};
  parts.count = catalog_->machines();
  machines_.emplace(system_, settings_, std::move(parts));
}

resources simulated_cluster::capacity_of(machine_id m, instant at) const {
  const auto& whole = catalog_->machine(m).capacity;
  return schedules_.of.empty() ? whole : schedules_.of[m].at(at, whole);
}

simulated_cluster::~simulated_cluster() {
  for (const auto& c : waiting_)
    caf::anon_send_exit(c, caf::exit_reason::kill);
  for (auto& [_, all] : incarnations_)
    for (auto& one : all) {
      one.dead = true;
      caf::anon_send_exit(one.handle, caf::exit_reason::kill);
      time_.thaw(one.handle->id());
    }
  if (recorder_)
    caf::anon_send_exit(recorder_, caf::exit_reason::user_shutdown);
  if (node_)
    caf::anon_send_exit(node_, caf::exit_reason::user_shutdown);
  // Thawed members may handle messages before they end, and need this object for that.
  time_.settle();
}

// -- members and links -------------------------------------------------------------------------

void simulated_cluster::add(role what, std::uint32_t number, incarnation_id incarnation,
                            caf::strong_actor_ptr handle) {
  auto& incarnations = incarnations_[{what, number}];
  // A standby may learn late of its appointment, after the next one has taken over.
  const auto behind =
    std::ranges::upper_bound(incarnations, incarnation, {}, &process::number_of_incarnation);
  incarnations.insert(behind, {what, number, incarnation, std::move(handle)});
  forget_oldest(incarnations);
}

void simulated_cluster::forget_oldest(std::vector<process>& incarnations) {
  for (auto oldest = incarnations.begin();
       incarnations.size() > incarnations_kept && oldest + 1 != incarnations.end();) {
    if (!has_ended(*oldest->handle)) {
      ++oldest;
      continue;
    }
    for (auto& [_, from] : senders_)
      from.links.erase(oldest->handle->id());
    if (oldest->what == role::owner || oldest->what == role::scheduler) // others keep their names
      if (const auto from =
            senders_.find(name_of(oldest->what, oldest->number, oldest->number_of_incarnation));
          from != senders_.end())
        from->second.links.clear();
    oldest = incarnations.erase(oldest);
  }
}

const simulated_cluster::process* simulated_cluster::latest(role what, std::uint32_t number) const {
  const auto it = incarnations_.find({what, number});
  return it == incarnations_.end() ? nullptr : &it->second.back();
}

caf::strong_actor_ptr simulated_cluster::reach(sender& from, role what, std::uint32_t number,
                                               incarnation_id incarnation) {
  const auto it = incarnations_.find({what, number});
  if (it == incarnations_.end())
    return nullptr;
  const simulated_cluster::process* found = nullptr;
  for (const auto& one : it->second)
    if (incarnation == 0 || one.number_of_incarnation == incarnation)
      found = &one;
  if (found == nullptr)
    return nullptr;
  auto& link = from.links[found->handle->id()];
  if (!link)
    link = make_link(system_, found->handle,
                     what == role::machine || from.is_machine ? machine_net_ : net_, from.name,
                     name_of(what, number, found->number_of_incarnation));
  return link;
}

std::string simulated_cluster::name_of(role what, std::uint32_t number,
                                       incarnation_id incarnation) {
  if (what == role::master || what == role::allocator)
    return to_string(what);
  const auto name = numbered(to_string(what).c_str(), number);
  const bool takes_over = (what == role::owner || what == role::scheduler) && incarnation > 1;
  return takes_over ? name + "." + std::to_string(incarnation) : name;
}

reach_function simulated_cluster::reach_from(const std::string& name) {
  auto& from = senders_.try_emplace(name, sender{name, name.starts_with("machine")}).first->second;
  return [this, &from](role what, std::uint32_t number, incarnation_id incarnation) {
    return reach(from, what, number, incarnation);
  };
}

member_start simulated_cluster::start_of(const promotion& as) {
  const auto& [what, number, incarnation] = as.as;
  return {as.as,
          failover_rules{as.as, as.now, settings_.failures.heartbeat,
                         reach_from(name_of(what, number, incarnation)),
                         [this, what = what] { spawn_standby(what); }},
          as.old_lease};
}

member_start simulated_cluster::start_of(role what, std::uint32_t number,
                                         incarnation_id incarnation) {
  return start_of({{what, number, incarnation}, duration{0}, places_of(settings_, 1)});
}

// -- failures -----------------------------------------------------------------------------------

bool simulated_cluster::is_hit(const std::vector<hit>& open, fault_kind by, incarnation_id one) {
  return std::ranges::any_of(open, [&](const hit& h) { return h.kind == by && h.victim == one; });
}

bool simulated_cluster::begin(const fault& f) {
  const auto it = incarnations_.find({f.what, f.number});
  if (it == incarnations_.end())
    return false;
  auto& victim = it->second.back();
  auto& open = hits_[it->first];
  const bool again = is_hit(open, f.kind, victim.number_of_incarnation);
  if (victim.dead && (f.kind != fault_kind::kill || !again))
    return false;
  open.push_back({f.kind, f.from, f.to, victim.number_of_incarnation});
  if (again)
    return false;
  if (f.kind == fault_kind::freeze) {
    victim.frozen = true;
    time_.freeze(victim.handle->id());
  } else if (f.kind == fault_kind::drain) {
    victim.drained = true;
    caf::anon_send(caf::actor_cast<caf::actor>(victim.handle), leave_atom_v);
  } else {
    kill(victim);
  }
  return true;
}

void simulated_cluster::kill(process& victim) {
  victim.dead = true;
  if (options_.growth && victim.what == role::machine &&
      options_.growth->find(victim.number, time_.now()) == nullptr)
    catalog_->growth()->set({{victim.number, {{}, catalog_->attributes_of(victim.number)}, true}});
  if (victim.what == role::machine && probing_)
    if (const auto* state = light_state_of<queueing_machine_state>(victim))
      state->serves->died(time_.now());
  // A frozen member stays frozen: it may not handle any of its waiting messages.
  if (!std::exchange(victim.frozen, false))
    caf::anon_send_exit(victim.handle, caf::exit_reason::kill);
}

bool simulated_cluster::end(const fault& f) {
  const auto it = incarnations_.find({f.what, f.number});
  if (it == incarnations_.end())
    return false;
  auto& open = hits_[it->first];
  const auto ended = std::ranges::find_if(
    open, [&](const hit& h) { return h.kind == f.kind && h.from == f.from && h.to == f.to; });
  if (ended == open.end())
    return false;
  const auto victim = ended->victim;
  open.erase(ended);
  if (is_hit(open, f.kind, victim))
    return false;
  if (f.kind == fault_kind::freeze) {
    const auto one = std::ranges::find(it->second, victim, &process::number_of_incarnation);
    if (one == it->second.end() || !std::exchange(one->frozen, false))
      return false;
    time_.thaw(one->handle->id());
    return true;
  }
  // The process of an owner or a scheduler restarts as a standby, even if it was replaced.
  if (f.what == role::owner || f.what == role::scheduler) {
    spawn_standby(f.what);
    return true;
  }
  auto& last = it->second.back();
  if (f.kind == fault_kind::drain && last.drained && !last.dead)
    kill(last);
  else if (f.kind == fault_kind::drain || !last.dead)
    return false;
  if (f.what == role::machine)
    spawn_machine(f.number, (last.number_of_incarnation / incarnations_of_a_start + 1) *
                              incarnations_of_a_start);
  else if (f.what == role::allocator)
    spawn_member(
      start_of(role::allocator, 0,
               (last.number_of_incarnation / allocators_of_a_start + 1) * allocators_of_a_start));
  else
    spawn_member(start_of(role::master, 0, last.number_of_incarnation + 1));
  return true;
}

} // namespace troupe
