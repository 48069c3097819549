#pragma once

#include "actors/sparrow/runs/task_runs.hpp"

namespace troupe {

/// What a Sparrow scheduler does when machines leave, are to be drained, come, or change: what was
/// on them and is not there any more runs elsewhere, and jobs that lack machines look again.
class machine_changes {
public:
  machine_changes(sparrow_tables& tables, probe_sender& probes, machine_search& search,
                  job_closer& closer, task_runs& runs)
    : tables_(tables), probes_(probes), search_(search), closer_(closer), runs_(runs) {}

  /// Removes a machine. What was there runs again, and waits from `now` on if it has run.
  void remove(machine_id machine, instant now, sparrow_outbox& out);

  /// Leaves a machine out that is to be drained; its reservations move to others.
  void retire(machine_id machine, sparrow_outbox& out);

  /// Takes in a machine that was removed.
  void restore(machine_id machine, sparrow_outbox& out, const capacity_notice* notice);

  /// Notes what a machine has, and answers the notice, if that is given.
  void note_capacity(machine_id machine, const capacity_notice* notice, sparrow_outbox& out);

  /// Notes the same, and takes back what does not fit there any more and does not run.
  void set_capacity(const capacity_notice& what, sparrow_outbox& out);

  /// Has jobs that lack machines look for those that have joined a cluster that grows.
  void look_again(sparrow_outbox& out);

  /// A window of some machines has ended: the same for these.
  void reopen(sparrow_outbox& out);

private:
  void lose(open_job& j, machine_id machine, instant now, sparrow_outbox& out);
  void withdraw(open_job& j, machine_id machine, const resources& capacity);

  sparrow_tables& tables_;
  probe_sender& probes_;
  machine_search& search_;
  job_closer& closer_;
  task_runs& runs_;
};

} // namespace troupe
