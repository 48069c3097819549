#pragma once

#include "actors/sparrow/probing/task_launcher.hpp"
#include "model/protocol/queue_protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace troupe {

/// Late binding: reserves places in the queues of machines for a job, and hands its tasks out as
/// the machines ask for them. A task may be handed out for any reservation of its job, where the
/// machine suits it; the group that the reservation was made for goes first, so that no group runs
/// out of them.
class task_reservations {
public:
  task_reservations(sparrow_tables& tables, task_launcher& launcher)
    : tables_(tables), launcher_(launcher) {}

  /// Reserves on up to `n` machines for a group.
  void reserve(open_job& j, std::uint32_t g, std::size_t n, sparrow_outbox& out);

  /// Reserves for the tasks of a job that was decided on which have no reservation.
  void reserve_what_is_missing(open_job& j, sparrow_outbox& out);

  /// Gives a machine a task of the job that it asks for, or says that there is none.
  task_assignment hand_out(const get_task_request& request, sparrow_outbox& out);

  /// A machine has given a reservation up for another one: makes it there.
  void move(const moved_reservation& what, machine_id from, sparrow_outbox& out);

  /// Cancels the reservations of a job that needs none, if the limits say so.
  void cancel(open_job& j, sparrow_outbox& out);

private:
  queue_entry reservation(open_job& j, std::uint32_t g, machine_id on);
  std::optional<std::uint32_t> group_for(const open_job& j, const get_task_request& request) const;

  sparrow_tables& tables_;
  task_launcher& launcher_;
};

} // namespace troupe
