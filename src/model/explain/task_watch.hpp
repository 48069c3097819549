#pragma once

#include "model/base/choice.hpp"
#include "model/explain/machine_survey.hpp"
#include "model/explain/wait_reason.hpp"
#include "model/jobs/task_fate.hpp"
#include "model/records/records.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace troupe {

/// What can happen to a watched job, or to one of its tasks.
enum class watched : std::uint8_t {
  submitted,    ///< a scheduler has taken the job in; `since`: its submission
  taken_over,   ///< likewise, a later incarnation of the scheduler
  ran_before,   ///< the later incarnation knows the task to run
  picked,       ///< the policy has picked a machine: `pick`
  found_none,   ///< the policy has found no machine: `pick`
  set_aside,    ///< the gang found places for `count` of its tasks only: `why`
  passed_over,  ///< the gang was not tried: there was not room enough in the view; `why`
  decided,      ///< the decision was handed out; `age` is that of the view
  sent,         ///< the task was sent to a machine with a queue
  held,         ///< an owner holds the places of `count` tasks of the gang
  granted,      ///< the owner's grant has come; `since`: from when on the delay counts
  started,      ///< the task has started, where no owner is involved
  diverted,     ///< the owner will grant another machine than the first choice
  refused,      ///< `refusal`
  queued_again, ///< the refused task waits for another attempt
  waits_until,  ///< it does not before `since`, or before a newer view if `count` is not 0
  moved,        ///< it runs on another machine than was known
  lost,         ///< its run was lost with the machine at `since`; it waits again
  preempted,    ///< its run had to give way at `since`, after `age`; it waits again
  evicted_for,  ///< the owner has decided so, for `other`
  put_back,     ///< it does not run, as had been believed, and waits since `since`
  ended,        ///< it is over, since `since`: `fate`
  offered,      ///< its scheduler was offered `count` machines
  reserved,     ///< places were reserved on `machines`
  probed,       ///< `machines` were asked for the lengths of their queues
  answered,     ///< they have answered: `count` of them had room
  asked,        ///< a machine has asked for a task and got one; it was reserved on `machines[0]`
  reason,       ///< why it waits, from now on: `why`, with `count` tasks ahead
};

/// The goal of the policy `adaptive` at a pick; `none`: another policy.
enum class pick_goal : std::uint8_t { none, latency, quality };

template <>
struct choice_names<pick_goal> {
  static constexpr std::array<std::string_view, 3> value{"", "latency", "quality"};
};

/// The choices of a policy at a pick, and the true state at that instant.
struct watched_pick {
  pick_goal goal = pick_goal::none;
  std::optional<std::uint32_t> looked_at; ///< machines, by a policy that looks at some of them only
  machine_survey seen;                    ///< by the scheduler's view
  machine_survey truth;                   ///< by the owners; no machines if that is not known
  std::uint32_t better = 0; ///< machines that fit in the view with a higher score than the pick
  double score = 0;         ///< of the pick
  bool preempts = false;
  duration age = unknown_time;    ///< of the view of the partition of the pick
  duration oldest = unknown_time; ///< of the partition that was refreshed longest ago
  partition_id partition = 0;
  std::uint32_t fresher = 0; ///< partitions that were refreshed later than that of the pick
  std::uint32_t richer = 0;  ///< partitions whose free units have a higher mean score
  std::optional<machine_finding> asked_seen; ///< of the machine that was asked about
  std::optional<machine_finding> asked_truth;
  double share = 0; ///< of the tenant; 0 if there is a single one
};

struct watched_event {
  watched what = watched::submitted;
  instant at{0};
  scheduler_id scheduler = no_scheduler;
  std::uint32_t task = 0; ///< index within the job; of events of the whole job 0
  machine_id machine = no_machine;
  owner_id owner = no_scheduler;
  instant since = no_instant;
  duration age = unknown_time;
  std::uint64_t count = 0;
  double quality = 0;
  task_fate fate = task_fate::finished;
  wait_reason why = wait_reason::none;
  std::optional<attempt_record> refusal{};
  instant winner_granted = no_instant; ///< refused: when the winner was granted the machine
  task_id winner_task{};               ///< likewise: the task that it was granted for
  task_id other{};
  std::int32_t priority = 0; ///< evicted_for: of `other`
  std::vector<machine_id> machines{};
  std::shared_ptr<watched_pick> pick{};
};

/// Watches one job of a run in virtual time: schedulers and owners tell it what happens to the job.
/// It changes nothing, and draws no random numbers. `now` and the job must be set before the run.
class task_watch {
public:
  job_id job = 0;
  std::optional<std::uint32_t> task; ///< whose picks are described; none: those of no task
  std::function<instant()> now;      ///< the time of the run

  /// The owners' knowledge of a machine at this moment; empty if unknown.
  std::function<machine_facts(machine_id)> truth;
  std::optional<machine_id> asked_about; ///< a machine that picks are to judge

  /// Called when a scheduler that has the job begins a decision, while the task waits.
  std::function<void(scheduler_id)> deciding;

  std::vector<watched_event> events;
  std::optional<troupe::job> what; ///< the job, once a scheduler has it

  bool wants(job_id of) const { return of == job; }
  bool wants_pick(const task_id& of) const { return of.job == job && task && of.index == *task; }

  /// Adds an event at this moment, and returns it for more.
  watched_event& note(watched event, scheduler_id scheduler, std::uint32_t index = 0) {
    auto& e = events.emplace_back();
    e.what = event;
    e.at = now();
    e.scheduler = scheduler;
    e.task = index;
    track(e);
    return e;
  }

  /// Whether the watched task waits at a scheduler for a decision now.
  bool waits_at(scheduler_id scheduler) const { return waits_ && at_ == scheduler; }

  /// Whether the watched task, or all tasks of the job, are over.
  bool over() const { return task ? over_ : tasks_over_ > 0 && tasks_over_ == tasks_; }

  /// Notes the properties of the job.
  void describe(const troupe::job& of) {
    what = of;
    tasks_ = of.task_count();
  }

  // -- owners -------------------------------------------------------------------------------------

  /// An owner has granted a machine to a scheduler.
  void grant(machine_id machine, scheduler_id to, const task_id& for_task);

  /// An owner evicts a task for another one.
  void evict(const task_id& victim, machine_id machine, owner_id owner, const task_id& by,
             std::int32_t priority);

  /// Adds the grant that a refusal was lost to.
  void complete(watched_event& refusal) const;

private:
  struct machine_grant {
    instant at{0};
    scheduler_id to = no_scheduler;
    task_id task;
  };

  void track(const watched_event& e);

  bool waits_ = false;
  bool over_ = false;
  scheduler_id at_ = no_scheduler;
  std::uint32_t tasks_ = 0;
  std::uint32_t tasks_over_ = 0;
  std::unordered_map<machine_id, std::vector<machine_grant>> grants_; ///< the latest ones, last
};

} // namespace troupe
