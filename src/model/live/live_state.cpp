#include "model/live/live_state.hpp"

#include <utility>

namespace troupe {

void scheduler_sums::add(const scheduler_sample& s) {
  placed += s.tasks.placed;
  transactions += s.attempts.transactions;
  commits += s.commits;
  retransmits += s.retransmits;
  snapshots += s.snapshots;
  for (std::size_t c = 0; c < conflict_causes; ++c)
    conflicts[c] += s.conflicts_by_cause[c];
  busy += to_seconds(s.busy);
  wasted += to_seconds(s.attempts.wasted);
}

std::uint64_t live_state::machines_up() const {
  std::uint64_t up = 0;
  for (const auto& o : owners)
    up += o.machines;
  return owners.empty() ? machines.queues.machines : up;
}

void live_state::note(instant at, std::string what, std::string member, std::string detail) {
  events.push_back({++events_so_far, at, std::move(what), std::move(member), std::move(detail)});
  if (events.size() > most_live_events)
    events.pop_front();
}

} // namespace troupe
