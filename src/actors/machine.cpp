#include "actors/machine.hpp"

#include <algorithm>

namespace troupe {

void machine_state::forget_ended(instant now) {
  while (!running_.empty() && running_.front().ends_at <= now) {
    free += running_.front().demand;
    std::pop_heap(running_.begin(), running_.end(), ends_later);
    running_.pop_back();
  }
}

bool machine_state::fits(const resources& demand, instant now) {
  forget_ended(now);
  return free.fits(demand);
}

void machine_state::add(const task_id& task, const resources& demand, instant ends_at) {
  free -= demand;
  running_.push_back({task, ends_at, demand});
  std::push_heap(running_.begin(), running_.end(), ends_later);
}

std::optional<instant> machine_state::remove(const task_id& task, instant now) {
  forget_ended(now);
  const auto it = std::find_if(running_.begin(), running_.end(),
                               [&](const running& r) { return r.task == task; });
  if (it == running_.end())
    return std::nullopt;
  const auto ends_at = it->ends_at;
  free += it->demand;
  running_.erase(it);
  std::make_heap(running_.begin(), running_.end(), ends_later);
  return ends_at;
}

machine_status machine_state::status(instant now) {
  forget_ended(now);
  machine_status s{id, {}};
  for (const auto& r : running_)
    s.running.push_back(r.task);
  return s;
}

machine_actor::behavior_type machine(machine_actor::stateful_pointer<machine_state> self,
                                     machine_id id, const resources& capacity,
                                     std::shared_ptr<const machine_config> config) {
  self->state.id = id;
  self->state.free = capacity;
  self->state.config = std::move(config);
  return {
    [self](const launch_order& order) {
      auto& state = self->state;
      auto& runs_on = *state.config->runs_on;
      const auto now = state.config->clock.now(self);
      if (state.fits(order.demand, now))
        state.add(order.task, order.demand, runs_on.start(state.id, order, now));
      else
        runs_on.refuse(state.id, order);
    },
    [self](kill_atom, const task_id& task) {
      auto& state = self->state;
      if (const auto ends_at = state.remove(task, state.config->clock.now(self)))
        state.config->runs_on->kill(state.id, task, *ends_at);
    },
    [self](status_atom) { return self->state.status(self->state.config->clock.now(self)); },
  };
}

} // namespace troupe
