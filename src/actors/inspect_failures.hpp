#pragma once

#include "actors/inspect_protocol.hpp"
#include "model/failure_protocol.hpp"

/// How the model's types that survive failures are written to the wire.
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
typename I::result_type inspect(I& f, machine_beat& x) {
  return inspect_fields(f, "machine_beat", x.machine, x.life, x.epoch, x.sent, x.orders_seen,
                        x.joins, x.leaves, x.running, x.ended);
}

template <class I>
typename I::result_type inspect(I& f, owner_word& x) {
  return inspect_fields(f, "owner_word", x.owner, x.epoch, x.machine, x.life, x.answers, x.renews,
                        x.wants_all, x.events_heard, x.events_done);
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
  return inspect_fields(f, "job_delivery", x.store, x.life, x.number, x.resumed, x.jobs);
}

template <class I>
typename I::result_type inspect(I& f, store_report& x) {
  return inspect_fields(f, "store_report", x.scheduler, x.life, x.deliveries_seen, x.first, x.over,
                        x.fates);
}

template <class I>
typename I::result_type inspect(I& f, store_seen& x) {
  return inspect_fields(f, "store_seen", x.store, x.life, x.number);
}

template <class I>
typename I::result_type inspect(I& f, roster_entry& x) {
  return inspect_fields(f, "roster_entry", x.what, x.number, x.life);
}

template <class I>
typename I::result_type inspect(I& f, roster& x) {
  return inspect_fields(f, "roster", x.master, x.version, x.entries);
}

template <class I>
typename I::result_type inspect(I& f, member_beat& x) {
  return inspect_fields(f, "member_beat", x.who, x.candidate, x.sent, x.master, x.version, x.knows);
}

template <class I>
typename I::result_type inspect(I& f, beat_answer& x) {
  return inspect_fields(f, "beat_answer", x.master, x.version, x.answers, x.tell_roster);
}

template <class I>
typename I::result_type inspect(I& f, promotion& x) {
  return inspect_fields(f, "promotion", x.as, x.old_lease, x.now);
}

} // namespace troupe
