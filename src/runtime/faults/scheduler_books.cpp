#include "runtime/faults/scheduler_books.hpp"

#include "runtime/cluster/places.hpp"
#include "runtime/cluster/probing.hpp"

namespace troupe {

std::optional<scheduler_books> scheduler_books::of(const simulated_cluster::process& who,
                                                   const run_settings& settings) {
  scheduler_books books;
  if (probes(settings, who.number))
    books.probing = probing_member::of(who);
  else
    books.placing = placing_core::of(who);
  if (!books.probing && !books.placing)
    return std::nullopt;
  return books;
}

task_counts scheduler_books::counts() const {
  return probing ? probing->core->counts() : placing->counts();
}

const record_outbox* scheduler_books::recording() const {
  return probing ? probing->core->recording() : placing->recording();
}

const group_counters& scheduler_books::counters() const {
  return probing ? probing->core->counters() : placing->counters();
}

const failover_books* scheduler_books::failover() const {
  return probing ? &probing->session->books() : placing->failover();
}

} // namespace troupe
