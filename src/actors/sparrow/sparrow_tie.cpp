#include "actors/sparrow/sparrow_tie.hpp"

#include "actors/scheduler/failover_messages.hpp"

#include <caf/send.hpp>

#include <utility>

namespace troupe {

void sparrow_tie::send_due(instant now) {
  for (auto& orders : session.due_orders(now))
    if (const auto to = failover.reach(role::machine, orders.machine, 0))
      caf::anon_send(caf::actor_cast<queueing_machine_actor>(to), std::move(orders));
  for (auto& [store, news] : session.news(now))
    if (const auto to = failover.reach(role::workload, store, 0))
      caf::anon_send(caf::actor_cast<workload_actor>(to), std::move(news));
}

void sparrow_tie::hear(const process_heartbeat& heard, instant now) {
  const auto lease = session.hear(heard, now);
  if (!lease)
    return;
  if (const auto to = failover.reach(role::machine, heard.first, 0))
    caf::anon_send<caf::message_priority::high>(caf::actor_cast<queueing_machine_actor>(to),
                                                *lease);
}

void sparrow_tie::retire() const {
  retire_scheduler(member.as(), failover);
}

} // namespace troupe
