#include "actors/scheduler/failover_messages.hpp"

#include "model/base/log.hpp"

#include <caf/send.hpp>

#include <utility>

namespace troupe {

void tell_stores(failover_books& books, const failover_rules& with, instant now) {
  for (auto& [store, news] : books.news(now, with.heartbeat))
    if (const auto to = with.reach(role::workload, store, 0))
      caf::anon_send(caf::actor_cast<workload_actor>(to), std::move(news));
}

void tell_safe(const failover_books& books, owner_id number, const owner_actor& owner) {
  if (owner)
    caf::anon_send(owner, report_seen{books.scheduler(), books.safe(number)});
}

void retire_scheduler(const member_entry& as, const failover_rules& with) {
  log::info("scheduler {}: another one has taken over from incarnation {}", as.number,
            as.incarnation);
  if (with.retire)
    with.retire();
}

} // namespace troupe
