#pragma once

#include "actors/sparrow/probing_core.hpp"
#include "actors/sparrow/sparrow_limits.hpp"
#include "actors/sparrow/sparrow_outbox.hpp"
#include "actors/sparrow/sparrow_parts.hpp"
#include "actors/sparrow/sparrow_situation.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/queue_protocol.hpp"
#include "model/protocol/sparrow_protocol.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace troupe {

/// What a Sparrow scheduler knows and decides, without the actor around it: its jobs, their
/// reservations, and the places of their tasks. It knows nothing of other schedulers and holds no
/// view. This class hands each call to the classes that such a scheduler consists of
/// (`sparrow_parts`).
///
/// Every task is in exactly one place: queued here, sent to a machine (counted as in commit until
/// the machine has started it), running, or over. The scheduling delay of a task lasts from the
/// submission of its job, or the loss of its last run, until the task starts on its machine.
///
/// Task groups with constraints or greater demands are reserved for among the machines that can
/// take them.
///
/// Task groups that wait for others of their job have no machines until all tasks of these are
/// over; machines for them are found then, as for a new job, and their tasks wait from then on.
class sparrow_core final : public probing_core {
public:
  /// `machines` must outlive the core. `own_group` is the group of schedulers that it is one of.
  sparrow_core(scheduler_id id, const catalog& machines, const sparrow_limits& limits,
               random_stream random, std::uint32_t own_group = 0)
    : parts_(id, machines, limits, random, own_group) {}

  /// All that it consists of, for those who explain what it does.
  const sparrow_parts& parts() const { return parts_; }

  /// Takes jobs in. Throws `std::invalid_argument` if one has no tasks, or is known already, or a
  /// group of it waits for one that is not before it.
  void submit(std::vector<job> jobs) override;

  /// Begins to decide, at `from`, on the next job, the one of highest priority that came first.
  /// Returns how long that takes, or nothing if none waits. Must be followed by `place` before the
  /// next call.
  std::optional<duration> decide(instant from);

  /// Finds machines for the job that was decided on.
  void place(sparrow_outbox& out);

  /// Books the answer to a probe; the last one of a round has tasks sent.
  void answer(const probe_answer& answer, sparrow_outbox& out) override;

  /// Gives a machine a task of the job that it asks for, or says that there is none.
  task_assignment hand_out(const get_task_request& request, sparrow_outbox& out);

  /// The same; the answer is in `out`.
  void asked(const get_task_request& request, sparrow_outbox& out) override {
    out.assignments.emplace_back(request.machine, hand_out(request, out));
  }

  /// Books starts and ends of tasks.
  void book(const task_news& news, sparrow_outbox& out) override;

  /// Removes a machine. Its reservations move to other machines; its tasks run again, and wait from
  /// `now` on if they have run.
  void remove(machine_id machine, instant now, sparrow_outbox& out) override;

  /// Books what a machine has from now on. What does not fit there any more, and does not run, goes
  /// elsewhere; the ends of tasks that had to stop must have been booked. A machine that has
  /// nothing is away: it is not probed until it has something again. Jobs that lack machines look
  /// again.
  void set_capacity(const capacity_notice& what, sparrow_outbox& out) override;

  /// A window of some machines has ended: jobs that lack machines look again.
  void reopen(sparrow_outbox& out);

  // -- where failures are watched ---------------------------------------------------------------

  void watch_failures(std::uint32_t retries, instant begin = instant{0}) override;
  void restore(machine_id machine, sparrow_outbox& out,
               const capacity_notice* notice = nullptr) override;
  void note_capacity(machine_id machine, const capacity_notice* notice,
                     sparrow_outbox& out) override;
  void move(const moved_reservation& what, machine_id from, sparrow_outbox& out) override;
  void resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on) override;
  void retire(machine_id machine, sparrow_outbox& out) override;
  void look_again(sparrow_outbox& out) override;
  bool may_lack_machines() override { return !parts_.affected.short_ones().empty(); }
  void abandon(job_id id, instant now, sparrow_outbox& out) override;
  void abandon_put_back(instant now, sparrow_outbox& out) override;

  // -- counts -------------------------------------------------------------------------------------

  /// The number of probes per task that a job would be given now.
  double ratio() const { return parts_.ratio.value(); }

  bool idle() const override { return parts_.jobs.empty(); }
  task_counts counts() const override { return counters().total(); }
  task_places places() const override { return parts_.jobs.places(); }
  std::vector<group_sample> take_samples(instant now, std::span<const kept_job> left = {}) override;

  /// Where a task of it is now, and why it waits; of place `unknown` if it does not have the job.
  task_situation situation_of(const task_id& task) const {
    return troupe::situation_of(parts_, task);
  }

  /// Why a task of it waits; `none` if it does not.
  wait_reason why_waits(const task_id& task) const { return troupe::why_waits(parts_, task); }

  /// The records of jobs and tasks on their way to the recorder, or null.
  record_outbox* recording() { return parts_.accounts.recording(); }
  const record_outbox* recording() const override { return parts_.accounts.recording(); }

  const group_counters& counters() const override { return parts_.accounts.counters(); }

  std::uint64_t unknown_news() const override { return counters().duplicate_grants(); }
  void visit_running(const std::function<void(const task_id&, machine_id)>& tell) const override {
    parts_.jobs.visit_running(tell);
  }
  bool may_run(const task_id& task, machine_id machine) const override {
    return parts_.jobs.may_run(task, machine);
  }

private:
  sparrow_parts parts_;
};

} // namespace troupe
