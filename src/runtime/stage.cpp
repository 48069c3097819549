#include "runtime/stage.hpp"

#include "runtime/build_catalog.hpp"
#include "runtime/link.hpp"
#include "runtime/linker.hpp"
#include "runtime/make_executor.hpp"
#include "runtime/virtual_coordinator.hpp"
#include "runtime/wire_config.hpp"
#include "runtime/wire_queues.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/actor_control_block.hpp>
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

bool has_ended(caf::actor_control_block& who) {
  return who.get()->getf(caf::abstract_actor::is_cleaned_up_flag);
}

/// How many lives of a member are known at a time.
constexpr std::size_t lives_kept = 8;

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
  const std::function<std::shared_ptr<node_executor>(std::shared_ptr<node_executor>)>& wrap)
  : system_(system),
    time_(virtual_coordinator::of(system)),
    settings_(settings),
    options_(options),
    probing_(any_probes(settings)),
    catalog_(std::make_shared<const catalog>(
      build_catalog(settings.cluster, settings.seed, settings.task_classes))),
    sources_(sources_of(settings)),
    runs_(wrap ? wrap(make_executor(settings, true)) : make_executor(settings, true)),
    machines_(std::make_shared<std::vector<task_host_actor>>(catalog_->machines())) {
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
  for (const auto& c : waiting_)
    caf::anon_send_exit(c, caf::exit_reason::kill);
  for (auto& [_, all] : lives_)
    for (auto& one : all) {
      one.dead = true;
      caf::anon_send_exit(one.handle, caf::exit_reason::kill);
      time_.thaw(one.handle->id());
    }
  if (recorder_)
    caf::anon_send_exit(recorder_, caf::exit_reason::user_shutdown);
  if (node_)
    caf::anon_send_exit(node_, caf::exit_reason::user_shutdown);
  // Who stood still may have something to handle before its end, and need what is here for that.
  time_.settle();
}

// -- who is where -------------------------------------------------------------------------------

void stage::add(role what, std::uint32_t number, incarnation life, caf::strong_actor_ptr handle) {
  auto& lives = lives_[{what, number}];
  // A candidate may learn late of its appointment, after the next one has taken over.
  const auto behind = std::ranges::upper_bound(lives, life, {}, &process::number_of_life);
  lives.insert(behind, {what, number, life, std::move(handle)});
  forget_oldest(lives);
}

void stage::forget_oldest(std::vector<process>& lives) {
  for (auto oldest = lives.begin(); lives.size() > lives_kept && oldest + 1 != lives.end();) {
    if (!has_ended(*oldest->handle)) {
      ++oldest;
      continue;
    }
    links_.erase(oldest->handle->id());
    if (oldest->what == role::owner || oldest->what == role::scheduler) // others keep their names
      for (auto& [_, from] : links_)
        from.erase(name_of(oldest->what, oldest->number, oldest->number_of_life));
    oldest = lives.erase(oldest);
  }
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
  auto& link = links_[found->handle->id()][from];
  const bool of_machine = what == role::machine || from.starts_with("machine");
  if (!link)
    link = make_link(system_, found->handle, of_machine ? machine_net_ : net_, from,
                     name_of(what, number, found->number_of_life));
  return link;
}

std::string stage::name_of(role what, std::uint32_t number, incarnation life) {
  if (what == role::master || what == role::allocator)
    return to_string(what);
  const auto name = numbered(to_string(what).c_str(), number);
  const bool takes_over = (what == role::owner || what == role::scheduler) && life > 1;
  return takes_over ? name + "." + std::to_string(life) : name;
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
