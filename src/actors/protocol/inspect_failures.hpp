#pragma once

#include "actors/protocol/inspect_protocol.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/process_heartbeat.hpp"

/// How the model's types for clusters with failures are written to the wire.
namespace troupe {

template <class I>
typename I::result_type inspect(I& f, running_claim& x) {
  return inspect_fields(f, "running_claim", x.task, x.scheduler, x.demand, x.runtime, x.priority,
                        x.tenant);
}

template <class I>
typename I::result_type inspect(I& f, machine_event& x) {
  return inspect_fields(f, "machine_event", x.number, x.scheduler, x.end);
}

template <class I>
typename I::result_type inspect(I& f, machine_heartbeat& x) {
  return inspect_fields(f, "machine_heartbeat", x.machine, x.incarnation, x.owner_incarnation,
                        x.sent, x.orders_seen, x.joins, x.leaves, x.running, x.ended, x.capacity);
}

template <class I>
typename I::result_type inspect(I& f, process_heartbeat& x) {
  return inspect_fields(f, "process_heartbeat", x.first, x.count, x.incarnation, x.to, x.number,
                        x.obeyed, x.sent);
}

template <class I>
typename I::result_type inspect(I& f, machine_run& x) {
  return inspect_fields(f, "machine_run", x.first, x.count);
}

template <class I>
typename I::result_type inspect(I& f, process_lease& x) {
  return inspect_fields(f, "process_lease", x.from, x.number, x.answers_as, x.first, x.incarnation,
                        x.answers, x.except);
}

template <class I>
typename I::result_type inspect(I& f, lease_reply& x) {
  return inspect_fields(f, "lease_reply", x.owner, x.owner_incarnation, x.machine, x.incarnation,
                        x.answers, x.renews, x.wants_all, x.events_heard, x.events_done);
}

template <class I>
typename I::result_type inspect(I& f, task_place& x) {
  return inspect_fields(f, "task_place", x.task, x.machine);
}

template <class I>
typename I::result_type inspect(I& f, owner_statement& x) {
  return inspect_fields(f, "owner_statement", x.owner, x.session, x.running, x.ended, x.capacities,
                        x.unknown);
}

template <class I>
typename I::result_type inspect(I& f, kept_job& x) {
  return inspect_fields(f, "kept_job", x.what, x.over, x.fate);
}

template <class I>
typename I::result_type inspect(I& f, job_delivery& x) {
  return inspect_fields(f, "job_delivery", x.store, x.incarnation, x.number, x.resumed, x.jobs,
                        x.withdrawn);
}

template <class I>
typename I::result_type inspect(I& f, store_report& x) {
  return inspect_fields(f, "store_report", x.scheduler, x.incarnation, x.deliveries_seen, x.first,
                        x.over, x.fates, x.widths);
}

template <class I>
typename I::result_type inspect(I& f, store_seen& x) {
  return inspect_fields(f, "store_seen", x.store, x.incarnation, x.number);
}

template <class I>
typename I::result_type inspect(I& f, member_entry& x) {
  return inspect_fields(f, "member_entry", x.what, x.number, x.incarnation);
}

template <class I>
typename I::result_type inspect(I& f, membership& x) {
  return inspect_fields(f, "membership", x.master, x.version, x.entries);
}

template <class I>
typename I::result_type inspect(I& f, member_heartbeat& x) {
  return inspect_fields(f, "member_heartbeat", x.who, x.standby, x.sent, x.master, x.version,
                        x.knows);
}

template <class I>
typename I::result_type inspect(I& f, heartbeat_reply& x) {
  return inspect_fields(f, "heartbeat_reply", x.master, x.version, x.answers, x.tell_membership);
}

template <class I>
typename I::result_type inspect(I& f, promotion& x) {
  return inspect_fields(f, "promotion", x.as, x.old_lease, x.now);
}

#define TROUPE_FAILURE_TYPES(X, Link)                                                              \
  X(Link, running_claim);                                                                          \
  X(Link, machine_event);                                                                          \
  X(Link, machine_heartbeat);                                                                      \
  X(Link, lease_reply);                                                                            \
  X(Link, process_heartbeat);                                                                      \
  X(Link, machine_run);                                                                            \
  X(Link, process_lease);                                                                          \
  X(Link, task_place);                                                                             \
  X(Link, owner_statement);                                                                        \
  X(Link, kept_job);                                                                               \
  X(Link, job_delivery);                                                                           \
  X(Link, store_report);                                                                           \
  X(Link, store_seen);                                                                             \
  X(Link, member_entry);                                                                           \
  X(Link, membership);                                                                             \
  X(Link, member_heartbeat);                                                                       \
  X(Link, heartbeat_reply);                                                                        \
  X(Link, promotion);

TROUPE_FAILURE_TYPES(TROUPE_INSPECTION, extern)

} // namespace troupe
