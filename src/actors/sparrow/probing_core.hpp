#pragma once

#include "actors/sparrow/sparrow_outbox.hpp"
#include "model/jobs/job.hpp"
#include "model/metrics/group_counters.hpp"
#include "model/metrics/metrics.hpp"
#include "model/metrics/task_balance.hpp"
#include "model/protocol/queue_protocol.hpp"
#include "model/records/record_outbox.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace troupe {

/// The books and decisions of a scheduler that uses the queues of machines, as its sessions with
/// machines need them where failures are watched (`sparrow_session`). `sparrow_core` is the one of
/// the built-in scheduler, `queue_plugin_core` the one of schedulers from plugins. Messages to
/// machines are put into the outbox.
class probing_core {
public:
  virtual ~probing_core() = default;

  /// To be called once, first, with the time of the begin. A task is given up as lost after
  /// `retries` runs that were lost with machines (0: never), and tasks that are over are reported
  /// in `sparrow_outbox::over`. There are no machines until they are added.
  virtual void watch_failures(std::uint32_t retries, instant begin) = 0;

  // -- jobs ---------------------------------------------------------------------------------------

  /// Takes in jobs that no earlier incarnation has seen.
  virtual void submit(std::vector<job> jobs) = 0;

  /// Takes a job in of which some tasks are over, or run on the machines that `runs_on` names.
  virtual void resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on) = 0;

  /// None of the tasks of a job has to be placed any more: abandons those that wait. A core may
  /// place them all the same.
  virtual void abandon(job_id, instant, sparrow_outbox&) {}

  /// The same for tasks of abandoned jobs that wait again, as their machines have lost them.
  virtual void abandon_put_back(instant, sparrow_outbox&) {}

  // -- machines -----------------------------------------------------------------------------------

  /// Takes a machine in that was taken out. `notice` is the latest of it; null: it has what it has
  /// by the catalog.
  virtual void restore(machine_id machine, sparrow_outbox& out, const capacity_notice* notice) = 0;

  /// Notes the same of a machine that is to be emptied, and takes in none of it.
  virtual void note_capacity(machine_id machine, const capacity_notice* notice,
                             sparrow_outbox& out) = 0;

  /// Books what a machine has from now on. What does not fit there any more, and does not run, goes
  /// elsewhere; the ends of tasks that had to stop must have been booked.
  virtual void set_capacity(const capacity_notice& what, sparrow_outbox& out) = 0;

  /// Sends no more tasks to a machine that is to be drained; the tasks there continue.
  virtual void retire(machine_id machine, sparrow_outbox& out) = 0;

  /// Removes a machine, at `now`. Its reservations move to other machines; its tasks run again.
  virtual void remove(machine_id machine, instant now, sparrow_outbox& out) = 0;

  /// Has tasks that lack machines look for those that have joined a cluster that grows.
  virtual void look_again(sparrow_outbox&) {}

  /// Returns whether tasks wait that may lack machines.
  virtual bool may_lack_machines() { return counts().queued > 0; }

  // -- events of machines -------------------------------------------------------------------------

  /// A machine asks for a task: it has to be answered with a task_assignment, now or later.
  virtual void asked(const get_task_request& request, sparrow_outbox& out) = 0;

  /// Books the answer to a probe.
  virtual void answer(const probe_answer& answer, sparrow_outbox& out) = 0;

  /// Books starts and ends of tasks.
  virtual void book(const task_news& news, sparrow_outbox& out) = 0;

  /// Books that a machine has given a reservation up for another one, and orders it there.
  virtual void move(const moved_reservation& what, machine_id from, sparrow_outbox& out) = 0;

  // -- counts -------------------------------------------------------------------------------------

  virtual bool idle() const = 0;
  virtual task_counts counts() const = 0;

  /// Counts its tasks by their places.
  virtual task_places places() const = 0;

  /// Returns the counts since the last call, for each known group of jobs. `left` are jobs of an
  /// earlier incarnation that are not taken over yet: their tasks that are not over count as
  /// waiting.
  virtual std::vector<group_sample> take_samples(instant now, std::span<const kept_job> left) = 0;

  /// Starts and ends that nobody waits for, since the last sample.
  virtual std::uint64_t unknown_news() const = 0;

  /// Reports all tasks that run as far as it knows, with their machines.
  virtual void visit_running(const std::function<void(const task_id&, machine_id)>& tell) const = 0;

  /// The records of jobs and tasks on their way to the recorder, or null.
  virtual const record_outbox* recording() const = 0;

  /// What it has counted.
  virtual const group_counters& counters() const = 0;

  /// Returns whether it has sent a task to a machine where it runs, or may by now.
  virtual bool may_run(const task_id& task, machine_id machine) const = 0;
};

} // namespace troupe
