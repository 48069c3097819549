#include "runtime/inspect/true_state.hpp"

#include "actors/owner/owner.hpp"
#include "actors/plugin/plugin_member.hpp"
#include "actors/plugin/queue_plugin_member.hpp"
#include "actors/queue/queueing_machine.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "actors/sparrow/sparrow_scheduler.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/checked_scheduler.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/state_of.hpp"

#include <utility>

namespace troupe {

namespace {

simulated_cluster::process process_of(role what, std::uint32_t number,
                                      caf::strong_actor_ptr handle) {
  simulated_cluster::process one;
  one.what = what;
  one.number = number;
  one.handle = std::move(handle);
  return one;
}

} // namespace

true_state::true_state(const run_settings& settings, std::shared_ptr<const catalog> machines,
                       member_finder find)
  : settings_(settings),
    machines_(std::move(machines)),
    find_(std::move(find)),
    owner_of_(owner_places(settings) > 0 ? owners_of(settings) : std::vector<owner_id>{}) {}

const scheduler_core* true_state::placing(scheduler_id s) const {
  auto handle = find_(role::scheduler, s);
  if (!handle)
    return nullptr;
  const auto one = process_of(role::scheduler, s, std::move(handle));
  const auto* state = state_of<placing_scheduler_actor, scheduler_state>(one);
  return state != nullptr && state->core ? &*state->core : nullptr;
}

const sparrow_core* true_state::probing(scheduler_id s) const {
  auto handle = find_(role::scheduler, s);
  if (!handle)
    return nullptr;
  const auto one = process_of(role::scheduler, s, std::move(handle));
  const auto* state = state_of<sparrow_scheduler_actor, sparrow_scheduler_state>(one);
  return state != nullptr && state->core ? &*state->core : nullptr;
}

std::optional<task_situation> true_state::in_plugin(scheduler_id s, const task_id& task) const {
  auto handle = find_(role::scheduler, s);
  if (!handle)
    return std::nullopt;
  if (const auto listener = listener_of(handle))
    return listener->situation_of(task);
  const auto one = process_of(role::scheduler, s, std::move(handle));
  const plugin_records* records = nullptr;
  if (const auto* owners = state_of<plugin_member_actor, plugin_member_state>(one))
    records = owners->core ? owners->core->records() : nullptr;
  else if (const auto* queues = state_of<queue_plugin_actor, queue_plugin_state>(one))
    records = queues->core ? queues->core->records() : nullptr;
  return records == nullptr ? std::nullopt : std::optional{records->situation_of(task)};
}

bool true_state::lives(owner_id owner) const {
  return find_(role::owner, owner) != nullptr;
}

machine_facts true_state::facts(machine_id machine, bool by_queue) const {
  machine_facts facts;
  facts.present = false;
  if (by_queue || owner_of_.empty()) {
    if (auto handle = find_(role::machine, machine)) {
      const auto one = process_of(role::machine, machine, std::move(handle));
      if (const auto* state = light_state_of<queueing_machine_state>(one);
          state != nullptr && state->serves) {
        const auto& core = state->serves->core();
        facts.present = !core.capacity().is_zero();
        facts.free = core.free();
        facts.waiting = static_cast<std::uint32_t>(core.waiting());
      }
    }
    return facts;
  }
  const auto owner = owner_of_[machines_->place_of(machine).partition];
  auto handle = find_(role::owner, owner);
  if (!handle)
    return facts;
  const auto one = process_of(role::owner, owner, std::move(handle));
  const auto* state = state_of<owner_actor, owner_state>(one);
  const auto* part =
    state != nullptr && state->core ? state->core->partitions().find(machine) : nullptr;
  if (part == nullptr)
    return facts;
  facts.present = part->is_present(machine);
  facts.free = part->free(machine);
  return facts;
}

} // namespace troupe
