#pragma once

#include "actors/sparrow/probing/probe_sender.hpp"
#include "actors/sparrow/probing/task_reservations.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Finds machines for the tasks of a job, in the way that the limits name: by reservations, by
/// probes, or at random.
class machine_search {
public:
  machine_search(sparrow_tables& tables, task_launcher& launcher, task_reservations& reservations,
                 probe_sender& probes)
    : tables_(tables), launcher_(launcher), reservations_(reservations), probes_(probes) {}

  /// Finds machines for a job that was decided on.
  void place(open_job& j, sparrow_outbox& out);

  /// Finds machines for groups that have ceased to wait for others of their job. Those of a job
  /// that is still to be decided on get theirs with the rest.
  void place_released(open_job& j, const std::vector<std::uint32_t>& groups, sparrow_outbox& out);

  /// Finds machines for the tasks of a job that lack them.
  void look_again(open_job& j, sparrow_outbox& out);

private:
  void place_group(open_job& j, std::uint32_t g, double ratio, sparrow_outbox& out);
  void send_at_random(open_job& j, std::uint32_t g, sparrow_outbox& out);

  sparrow_tables& tables_;
  task_launcher& launcher_;
  task_reservations& reservations_;
  probe_sender& probes_;
};

} // namespace troupe
