#include "actors/workload.hpp"

#include "actors/handlers.hpp"

namespace troupe {

void job_traits::apply(job& to) const {
  to.tenant = tenant;
  to.priority += priority;
  to.gang = to.gang || gang;
  to.spread = to.spread || spread;
  for (auto& group : to.groups) {
    group.constraints.insert(group.constraints.end(), constraints.begin(), constraints.end());
    group.task_class = task_class;
  }
}

namespace {

using self_pointer = workload_actor::stateful_pointer<workload_state>;

/// Reads the next job; a source that fails ends the stream and leaves its reason.
void advance(workload_state& state) {
  try {
    state.next = state.config.source->next();
  } catch (const std::exception& e) {
    state.next.reset();
    state.status.error = e.what();
  }
  state.status.ended = !state.next;
}

void wait_for_next(self_pointer self) {
  auto& state = self->state;
  if (!state.next)
    return;
  const auto tick = state.config.tick.count();
  const auto at = state.next->submitted.count();
  const auto due = tick > 0 ? (at + tick - 1) / tick * tick : at;
  self->scheduled_send(self, state.config.clock.at(instant{due}), due_atom_v);
}

/// Returns whose turn it is to get the next job.
std::size_t next_scheduler(workload_state& state) {
  const std::size_t first = state.config.long_schedulers;
  if (first > 0 && state.next->estimate >= state.config.cutoff)
    return state.long_turn++ % first;
  return first + state.turn++ % (state.schedulers.size() - first);
}

void submit_due(self_pointer self) {
  auto& state = self->state;
  const auto now = state.config.clock.now(self);
  std::vector<submission> batches(state.schedulers.size());
  while (state.next && state.next->submitted <= now) {
    state.next->id = (job_id{state.config.number} << 40) | state.status.jobs++;
    state.next->group = state.config.number;
    state.config.traits.apply(*state.next);
    state.status.tasks += state.next->task_count();
    batches[next_scheduler(state)].jobs.push_back(std::move(*state.next));
    advance(state);
  }
  for (std::size_t i = 0; i < batches.size(); ++i)
    if (!batches[i].jobs.empty())
      self->send(state.schedulers[i], std::move(batches[i]));
  wait_for_next(self);
}

const workload_status& status(workload_state& state) {
  state.status.skipped_rows = state.config.source->skipped_rows();
  return state.status;
}

} // namespace

workload_actor::behavior_type workload(workload_actor::stateful_pointer<workload_state> self,
                                       workload_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  return {
    [self](const peers& all) {
      self->state.schedulers = to_handles<scheduler_actor>(all.schedulers);
      advance(self->state);
      wait_for_next(self);
    },
    [self](due_atom) { submit_due(self); },
    [self](sample_atom) { return status(self->state); },
    [self](flush_atom) {
      self->state.next.reset();
      return status(self->state);
    },
  };
}

} // namespace troupe
