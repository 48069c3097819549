#pragma once

#include "actors/sparrow/loss_book.hpp"
#include "actors/sparrow/open_job.hpp"
#include "actors/sparrow/probe_rounds.hpp"
#include "actors/sparrow/probing_core.hpp"
#include "actors/sparrow/sparrow_outbox.hpp"
#include "model/base/moving_average.hpp"
#include "model/cluster/machine_pools.hpp"
#include "model/explain/task_situation.hpp"
#include "model/jobs/job.hpp"
#include "model/metrics/busy_meter.hpp"
#include "model/metrics/group_counters.hpp"
#include "model/metrics/task_balance.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/probing.hpp"
#include "model/protocol/queue_protocol.hpp"
#include "model/protocol/sparrow_protocol.hpp"
#include "model/records/record_outbox.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace troupe {

/// How a Sparrow scheduler works.
struct sparrow_limits {
  probing how = probing::late_binding;
  bool cancellation = true; ///< proactive: reservations that are not needed any more are cancelled
  double ratio = 2;         ///< probes or reservations per task
  /// Whether the ratio follows the load: so many that as many machines with room can be expected
  /// among them as there are tasks, at least `ratio_min` and at most `ratio_max` per task.
  bool adaptive_ratio = false;
  double ratio_min = 1;
  double ratio_max = 3;
  /// Deciding on a job takes t_job, and t_task for each task.
  duration t_job{0};
  duration t_task = std::chrono::nanoseconds{1};
  instant warmup{0}; ///< jobs submitted earlier are left out of delays, responses and quality
  record_level records = record_level::none; ///< what is recorded of jobs and tasks
  task_watch* watch = nullptr; ///< is told of one job, if jobs are recorded; null: none
  /// Tells the time, if machines have windows. Without, only the machines heed them.
  std::function<instant()> time{};
};

/// The state and decisions of a Sparrow scheduler, without the actor around it: its jobs, their
/// reservations, and the places of their tasks. It knows nothing of other schedulers and holds no
/// view.
///
/// Every task is in exactly one place: queued here, sent to a machine (counted as in commit until
/// the machine has started it), running, or over. The scheduling delay of a task lasts from the
/// submission of its job, or the loss of its last run, until the task starts on its machine.
///
/// Task groups with constraints or greater demands are reserved for among the machines that can
/// take them. A task may be handed out for any reservation of its job, where the machine suits it;
/// the group that the reservation was made for goes first, so that no group runs out of them.
///
/// Task groups that wait for others of their job have no machines until all tasks of these are
/// over; machines for them are found then, as for a new job, and their tasks wait from then on.
class sparrow_core final : public probing_core {
public:
  /// `machines` must outlive the core. `own_group` is the group of schedulers that it is one of.
  sparrow_core(scheduler_id id, const catalog& machines, const sparrow_limits& limits,
               random_stream random, std::uint32_t own_group = 0);

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
  void abandon(job_id id, instant now, sparrow_outbox& out) override;

  // -- counts -------------------------------------------------------------------------------------

  /// The number of probes per task that a job would be given now.
  double ratio() const;

  bool idle() const override { return jobs_.empty(); }
  task_counts counts() const override { return books_.total(); }
  task_places places() const override;
  std::vector<group_sample> take_samples(instant now, std::span<const kept_job> left = {}) override;

  /// Where a task of it is now, and why it waits; of place `unknown` if it does not have the job.
  task_situation situation_of(const task_id& task) const;

  /// Why a task of it waits; `none` if it does not.
  wait_reason why_waits(const task_id& task) const;

  /// The records of jobs and tasks on their way to the recorder, or null.
  record_outbox* recording() { return recording_.get(); }
  const record_outbox* recording() const override { return recording_.get(); }

  const group_counters& counters() const override { return books_; }

  std::uint64_t unknown_news() const override { return books_.duplicate_grants(); }
  void visit_running(const std::function<void(const task_id&, machine_id)>& tell) const override;
  bool may_run(const task_id& task, machine_id machine) const override;

private:
  using task_state = open_job::task_state;

  group_counters::book& book_of(const open_job& j) { return books_.of(j.what.group); }
  record_book* records() { return recording_ ? &recording_->book() : nullptr; }
  task_watch* watching(job_id job) {
    return recording_ ? recording_->book().watching(job) : nullptr;
  }
  void note_drawn(const open_job& j, watched what, std::uint32_t g);
  open_job* find(job_id id);
  bool is_open(job_id id) const { return jobs_.contains(id); }
  bool may_take(const open_job& j, std::uint32_t g, machine_id machine) const;
  duration estimate_of(const open_job& j) const;
  bool heeds_windows() const;
  bool is_open_to(const open_job& j, machine_id machine) const;
  void draw(open_job& j, std::uint32_t g, std::size_t n, bool repeat);
  bool is_warm(const open_job& j) const { return j.what.submitted >= limits_.warmup; }

  /// Learns how many of the machines that were probed, or reserved on, for a job had room.
  void note_room(std::size_t with_room, std::size_t machines);

  void place_group(open_job& j, std::uint32_t g, double ratio, sparrow_outbox& out);
  void reserve(open_job& j, std::uint32_t g, std::size_t n, sparrow_outbox& out);
  queue_entry reservation(open_job& j, std::uint32_t g, machine_id on);
  void reserve_what_is_missing(open_job& j, sparrow_outbox& out);
  void probe_for(open_job& j, std::uint32_t g, double ratio, sparrow_outbox& out);
  void send_at_random(open_job& j, std::uint32_t g, sparrow_outbox& out);
  void assign(const probe_round& round, sparrow_outbox& out);
  void send(open_job& j, std::uint32_t g, std::uint32_t task, machine_id to, sparrow_outbox& out);
  launch_order launch(open_job& j, std::uint32_t g, std::uint32_t task, machine_id to);
  void leave_out_used(const open_job& j);
  std::optional<std::uint32_t> group_for(const open_job& j, const get_task_request& request) const;
  void cancel(open_job& j, sparrow_outbox& out);
  void start(const task_start& what);
  void end(const task_end& what, sparrow_outbox& out);
  void note_shortage(const open_job& j);
  void note_place(job_id job, machine_id machine);
  std::vector<job_id> short_jobs();
  std::vector<job_id> jobs_to_heed(machine_id machine);
  void withdraw(open_job& j, machine_id machine, const resources& capacity);
  void give_up(open_job& j, const task_id& task, instant at, sparrow_outbox& out);
  void lose(open_job& j, machine_id machine, instant now, sparrow_outbox& out);
  void wait_again(const open_job& j, std::uint32_t task, instant since);
  instant waits_since(const open_job& j, const task_id& task, std::uint32_t g) const;
  void note_waiting(instant now, std::span<const kept_job> left);
  void close(open_job& j, const task_id& task, task_fate fate, instant at, sparrow_outbox& out);
  void release(open_job& j, const std::vector<std::uint32_t>& groups, sparrow_outbox& out);
  void finish(open_job& j);
  void find_machines_again(open_job& j, sparrow_outbox& out);
  void check_balance() const;

  scheduler_id id_;
  const catalog* machines_;
  sparrow_limits limits_;
  random_stream random_;
  machine_pools pools_;
  std::unordered_map<job_id, open_job> jobs_;
  std::map<std::pair<std::int64_t, std::uint64_t>, job_id> undecided_; ///< by priority, order
  std::uint64_t submissions_ = 0;
  std::optional<job_id> deciding_;
  probe_rounds rounds_;
  moving_average with_room_{0.05}; ///< share of the machines met that had room, job by job
  bool met_any_ = false;
  std::vector<machine_id> drawn_;
  std::optional<open_classes> open_;             ///< to the job in hand, if machines have windows
  std::unordered_map<task_id, instant> lost_at_; ///< of tasks whose run was lost
  std::uint64_t blocked_ = 0;                    ///< tasks that wait for others of their job
  group_counters books_;
  busy_meter busy_;
  std::unique_ptr<loss_book> losses_;        ///< where failures are watched
  std::set<machine_id> leaving_;             ///< machines that are to be drained; likewise
  std::unique_ptr<record_outbox> recording_; ///< null: jobs and tasks are not recorded
};

} // namespace troupe
