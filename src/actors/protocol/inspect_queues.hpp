#pragma once

#include "actors/protocol/inspect_failures.hpp"
#include "model/protocol/queue_protocol.hpp"

/// How the envelopes between schedulers that probe and machines are written to the wire.
namespace troupe {

template <class I>
typename I::result_type inspect(I& f, moved_reservation& x) {
  return inspect_fields(f, "moved_reservation", x.to, x.job, x.group, x.placed_on, x.length_met);
}

template <class I>
typename I::result_type inspect(I& f, queue_report& x) {
  return inspect_fields(f, "queue_report", x.machine, x.incarnation, x.scheduler,
                        x.scheduler_incarnation, x.sent, x.orders_seen, x.busy, x.joins, x.leaves,
                        x.asks, x.running, x.ended, x.capacity, x.first_event, x.events);
}

template <class I>
typename I::result_type inspect(I& f, queue_orders& x) {
  return inspect_fields(f, "queue_orders", x.scheduler, x.scheduler_incarnation, x.machine,
                        x.incarnation, x.renews, x.answers, x.events_heard, x.ends_done,
                        x.first_order, x.orders);
}

#define TROUPE_QUEUE_TYPES(X, Link)                                                                \
  X(Link, moved_reservation);                                                                      \
  X(Link, queue_report);                                                                           \
  X(Link, queue_orders);                                                                           \
  X(Link, queue_event);                                                                            \
  X(Link, queue_order);

TROUPE_QUEUE_TYPES(TROUPE_INSPECTION, extern)

} // namespace troupe
