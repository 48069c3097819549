#pragma once

#include "actors/inspect_failures.hpp"
#include "model/queue_protocol.hpp"

/// How what schedulers that probe and machines tell each other where failures are watched is
/// written to the wire.
namespace troupe {

template <class I>
typename I::result_type inspect(I& f, queue_order& x) {
  return inspect_fields(f, "queue_order", x.kind, x.entry, x.none, x.probe);
}

template <class I>
typename I::result_type inspect(I& f, queue_event& x) {
  return inspect_fields(f, "queue_event", x.kind, x.request, x.length, x.ended);
}

template <class I>
typename I::result_type inspect(I& f, queue_beat& x) {
  return inspect_fields(f, "queue_beat", x.machine, x.life, x.scheduler, x.scheduler_life, x.sent,
                        x.orders_seen, x.busy, x.joins, x.leaves, x.asks, x.running, x.ended,
                        x.first_event, x.events);
}

template <class I>
typename I::result_type inspect(I& f, queue_word& x) {
  return inspect_fields(f, "queue_word", x.scheduler, x.scheduler_life, x.machine, x.life, x.renews,
                        x.answers, x.events_heard, x.ends_done, x.first_order, x.orders);
}

template <class I>
typename I::result_type inspect(I& f, queue_pulse& x) {
  return inspect_fields(f, "queue_pulse", x.first, x.count, x.life, x.scheduler, x.scheduler_life,
                        x.sent);
}

template <class I>
typename I::result_type inspect(I& f, machine_run& x) {
  return inspect_fields(f, "machine_run", x.first, x.count);
}

template <class I>
typename I::result_type inspect(I& f, queue_lease& x) {
  return inspect_fields(f, "queue_lease", x.scheduler, x.scheduler_life, x.first, x.life, x.answers,
                        x.except);
}

} // namespace troupe
