#pragma once

#include "model/busy_meter.hpp"
#include "model/failure_protocol.hpp"
#include "model/job.hpp"
#include "model/ledgers.hpp"
#include "model/machine_pools.hpp"
#include "model/moving_average.hpp"
#include "model/sparrow_protocol.hpp"
#include "model/task_balance.hpp"

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

/// How a Sparrow scheduler finds machines (Ousterhout et al., Sparrow, SOSP 2013, section 3).
enum class probing : std::uint8_t {
  random,   ///< not at all: tasks go to random machines
  per_task, ///< for each task a few machines are probed; it goes to the shortest queue
  batch,    ///< the probes of a job are put together; one task goes to each of the shortest queues
  late_binding, ///< reservations; the machines that come to them first are given the tasks
};

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
};

/// What a Sparrow scheduler wants sent to machines.
struct sparrow_outbox {
  std::vector<std::pair<machine_id, queue_entry>> entries;
  std::vector<std::pair<machine_id, queue_probe>> probes;
  std::vector<std::pair<machine_id, cancellation>> cancellations;
  /// Tasks that are over, for their job stores; filled only where failures are watched.
  std::vector<std::pair<task_id, task_fate>> over;

  void clear() {
    entries.clear();
    probes.clear();
    cancellations.clear();
    over.clear();
  }
};

/// What a Sparrow scheduler knows and decides, without the actor around it: its jobs, where it has
/// reserved, where its tasks are. It knows nothing of other schedulers and holds no view.
///
/// Every task is in exactly one place: queued here, sent to a machine (counted as in commit until
/// the machine has started it), running, or over. The scheduling delay of a task lasts from the
/// submission of its job, or the loss of its last run, until the task starts on its machine.
///
/// Task groups with constraints or greater demands are reserved for among the machines that can
/// take them. A task may be handed out for any reservation of its job, where the machine suits it;
/// the group that the reservation was made for goes first, so that no group runs out of them.
class sparrow_core {
public:
  /// `machines` must outlive the core. `own_group` is the group of schedulers that it is one of.
  sparrow_core(scheduler_id id, const catalog& machines, const sparrow_limits& limits,
               random_stream random, std::uint32_t own_group = 0);

  /// Takes jobs in. Throws `std::invalid_argument` if one has no tasks, or is known already.
  void submit(std::vector<job> jobs);

  /// Begins to decide, at `from`, on the next job, the one of highest priority that came first.
  /// Returns how long that takes, or nothing if none waits. Must be followed by `place` before the
  /// next call.
  std::optional<duration> decide(instant from);

  /// Finds machines for the job that was decided on.
  void place(sparrow_outbox& out);

  /// Books the answer to a probe; the last one of a round has tasks sent.
  void answer(const probe_answer& answer, sparrow_outbox& out);

  /// Gives a machine a task of the job that it asks for, or says that there is none.
  task_assignment hand_out(const get_task_request& request, sparrow_outbox& out);

  /// Books starts and ends of tasks.
  void book(const task_news& news, sparrow_outbox& out);

  /// Takes a machine out. What was reserved there is reserved elsewhere; tasks that were there run
  /// again, and wait from `now` on if they have run.
  void remove(machine_id machine, instant now, sparrow_outbox& out);

  // -- where failures are watched
  // --------------------------------------------------------------------------

  /// Says once, before anything else, that things fail, and when it begins: a task is given up as
  /// lost after `retries` runs that were lost with machines (0: never), and `sparrow_outbox::over`
  /// is told of those that are over. There are no machines then until they are taken in.
  void survive(std::uint32_t retries, instant begin = instant{0});

  /// Takes a machine in that was taken out.
  void restore(machine_id machine, sparrow_outbox& out);

  /// Takes a job in of which some tasks are over, or run on the machines that `runs_on` names.
  void resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on);

  /// Starts and ends that nobody waits for, since the last sample.
  std::uint64_t unknown_news() const { return books_.duplicate_grants(); }

  /// The number of probes per task that a job would be given now.
  double ratio() const;

  task_counts counts() const { return books_.total(); }

  /// Counts its tasks by what it knows of each.
  task_places places() const;

  /// Tells of all tasks that it knows to run, and where.
  void visit_running(const std::function<void(const task_id&, machine_id)>& tell) const;

  /// Returns whether it has sent a task to a machine where it runs, or may by now.
  bool may_run(const task_id& task, machine_id machine) const;
  bool idle() const { return jobs_.empty(); }

  /// Sends nothing more to a machine that is to be emptied; what is there goes on. Reserves
  /// elsewhere what was reserved there.
  void retire(machine_id machine, sparrow_outbox& out);

  /// Returns what was counted since the last call, for each group of jobs that was heard of. `left`
  /// are jobs of an earlier life that are still to be taken in: what of them is not over waits.
  std::vector<group_sample> take_samples(instant now, std::span<const kept_job> left = {});

private:
  enum class task_state : std::uint8_t { waiting, sent, running, over };

  struct task_note {
    machine_id machine = 0; ///< where it was sent
    task_state state = task_state::waiting;
  };

  struct group_state {
    machine_pools::pool_id pool = 0;
    std::uint32_t first = 0;            ///< index of its first task
    std::uint32_t fresh = 0;            ///< tasks before this one, within the group, were taken
    std::uint32_t waiting = 0;          ///< tasks that are to be taken
    std::uint32_t reserved = 0;         ///< reservations for the group that have not been used
    std::vector<std::uint32_t> again{}; ///< tasks taken before that are to be taken again
  };

  struct reservation {
    machine_id machine = 0;
    std::uint32_t group = 0;
  };

  struct open_job {
    job what;
    std::vector<task_note> tasks;
    std::vector<group_state> groups;
    std::vector<reservation> reservations;
    std::uint32_t unfinished = 0;
    bool placed = false;
    std::size_t reserved = 0; ///< reservations made
    std::size_t met_room = 0; ///< of these, on machines that had room
    instant last_end{0};
    task_fate fate = task_fate::finished; ///< so far
  };

  /// Jobs that have, or once had, reservations or tasks on a machine.
  struct jobs_there {
    std::vector<job_id> ids;
    std::size_t full = 16; ///< when those that have nothing to do with it any more are left out
  };

  /// What is needed beside where failures are watched.
  struct loss_book {
    std::uint32_t retries = 0;
    std::map<task_id, std::uint32_t> losses{}; ///< of tasks that are not over
    std::vector<jobs_there> on{};              ///< by machine
    std::set<job_id> short_of_machines{};      ///< and some that are not any more
  };

  struct probe {
    machine_id machine = 0;
    std::int32_t length = 0;
    bool answered = false;
  };

  struct probe_round {
    job_id job = 0;
    std::uint32_t group = 0;
    std::vector<std::uint32_t> tasks;
    std::vector<probe> probes; ///< those of the first task, those of the second, ..
    std::size_t missing = 0;   ///< answers that have not come
  };

  static std::uint32_t take_task(group_state& from);
  static std::uint32_t waiting(const open_job& j);
  static std::uint32_t group_of(const open_job& j, std::uint32_t task);
  static std::size_t tasks_on(const open_job& j, machine_id machine);
  ledgers::ledger& book_of(const open_job& j) { return books_.of(j.what.group); }
  open_job* find(job_id id);
  bool is_warm(const open_job& j) const { return j.what.submitted >= limits_.warmup; }

  /// Learns how many of the machines that were probed, or reserved on, for a job had room.
  void note_room(std::size_t with_room, std::size_t machines);

  void place_group(open_job& j, std::uint32_t g, double ratio, sparrow_outbox& out);
  void reserve(open_job& j, std::uint32_t g, std::size_t n, sparrow_outbox& out);
  void reserve_what_is_missing(open_job& j, sparrow_outbox& out);
  void probe_for(open_job& j, std::uint32_t g, double ratio, sparrow_outbox& out);
  void send_at_random(open_job& j, std::uint32_t g, sparrow_outbox& out);
  void assign(const probe_round& round, sparrow_outbox& out);
  void send(open_job& j, std::uint32_t g, std::uint32_t task, machine_id to, sparrow_outbox& out);
  void put_back(open_job& j, std::uint32_t g, std::uint32_t task);
  launch_order launch(open_job& j, std::uint32_t g, std::uint32_t task, machine_id to);
  std::optional<std::uint32_t> group_for(const open_job& j, const get_task_request& request) const;
  void cancel(open_job& j, sparrow_outbox& out);
  void start(const task_start& what);
  void end(const task_end& what, sparrow_outbox& out);
  void forget_reservations(open_job& j, machine_id machine);
  static bool lacks_machines(const group_state& g) { return g.waiting > g.reserved; }
  void note_shortage(const open_job& j);
  void note_place(job_id job, machine_id machine);
  std::vector<job_id> short_jobs();
  std::vector<job_id> jobs_to_heed(machine_id machine);
  void lose(open_job& j, machine_id machine, instant now, sparrow_outbox& out);
  instant waits_since(const open_job& j, const task_id& task) const;
  void note_waiting(instant now, std::span<const kept_job> left);
  bool may_retry(const task_id& task);
  void close(open_job& j, const task_id& task, task_fate fate, sparrow_outbox& out);
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
  std::unordered_map<std::uint64_t, probe_round> rounds_;
  std::uint64_t last_round_ = 0;
  moving_average with_room_{0.05}; ///< share of the machines met that had room, job by job
  bool met_any_ = false;
  std::vector<machine_id> drawn_;
  std::unordered_map<task_id, instant> lost_at_; ///< of tasks whose run was lost
  ledgers books_;
  busy_meter busy_;
  std::unique_ptr<loss_book> losses_; ///< where failures are watched
  std::set<machine_id> leaving_;      ///< machines that are to be emptied; likewise
};

} // namespace troupe
