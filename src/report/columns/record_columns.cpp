#include "report/columns/columns.hpp"

namespace troupe {

std::span<const file_column> job_columns() {
  static constexpr file_column all[] = {
    {"job", "", "number; the upper 24 bits are the group, the lower 40 bits count its jobs"},
    {"group", "", "group of jobs"},
    {"tenant", "", "tenant; empty if there is only one"},
    {"class", "", "task class of its first task group; empty without one"},
    {"scheduler", "", "the scheduler, the last one if several had the job"},
    {"priority", "", "higher goes first"},
    {"gang", "", "whether its tasks start together"},
    {"tasks", "tasks", "number of tasks"},
    {"cpu_cores", "cores", "request of all its tasks together: CPU; empty: none"},
    {"memory_gib", "GiB", "request of all its tasks together: memory; empty: none"},
    {"gpus", "cards", "request of all its tasks together: GPUs; empty: none"},
    {"slots", "slots", "request of all its tasks together: slots; empty: none"},
    {"state", "",
     "`queued` (no task runs), `running`, `finished`, `failed` or `abandoned`, as in "
     "`summary.json`"},
    {"tasks_finished", "tasks", "tasks that have ended by themselves"},
    {"tasks_failed", "tasks", "tasks that have ended with an error"},
    {"tasks_lost", "tasks", "tasks that were lost with their machine and do not run again"},
    {"tasks_abandoned", "tasks", "tasks that were given up"},
    {"submitted_s", "s", "when the client submitted it. A job is eligible from then on"},
    {"first_decided_s", "s", "when the first decision on it was handed out"},
    {"first_placed_s", "s", "when the first of its tasks was placed"},
    {"last_placed_s", "s", "when the latest of its tasks was placed"},
    {"ended_s", "s", "when its last task ended"},
    {"wait_s", "s", "from its submission to the beginning of the first decision"},
    {"placed", "placements", "number of placements, several for a task that ran several times"},
    {"scheduling_delay_mean_s", "s", "mean delay of these placements"},
    {"scheduling_delay_max_s", "s", "greatest delay of these placements"},
    {"response_s", "s", "from its submission to its end"},
    {"ideal_s", "s", "run time of its longest chain of tasks that wait for each other"},
    {"slowdown", "", "`response_s` / `ideal_s` of a finished job"},
    {"attempts", "attempts", "placements that were committed, or tasks that were sent to machines"},
    {"conflicts", "attempts",
     "refused attempts, without those of causes that are no conflict (`aborted`)"},
    {"conflicts_taken", "attempts", "of these: another task has the resources"},
    {"conflicts_changed", "attempts",
     "of these: the machine has changed since the view was taken (`owner.detection = \"coarse\"`)"},
    {"conflicts_gone", "attempts",
     "of these: the machine has left, or the needed part of its capacity"},
    {"conflicts_moved", "attempts", "of these: the partition has moved to another owner"},
    {"preempted", "runs", "runs that had to give way to tasks of higher priority"},
    {"lost", "runs", "runs that were lost with their machines"},
    {"work_lost_s", "s", "time of these and the preempted runs"},
    {"quality_mean", "", "mean score of the machines, over the placements"},
    {"placement_staleness_mean_s", "s", "mean age of the view of the partition at the decision"},
    {"cpu_core_s", "core s", "CPU that the runs used which finished"},
    {"memory_gib_s", "GiB s", "memory that the runs used which finished"},
    {"reason", "",
     "why its first waiting task waits at the end of the run; empty if none does. "
     "[explain.md](explain.md#reasons) lists the reasons"},
    {"estimate_s", "s",
     "estimate of its run time ([hpc.md](hpc.md#estimates-and-walltimes)); empty: none"},
    {"requested_tasks", "tasks",
     "number of tasks that were asked for; `tasks` is the one that its scheduler has chosen, if "
     "the "
     "job is moldable"},
  };
  return all;
}

std::span<const file_column> task_columns() {
  static constexpr file_column all[] = {
    {"job", "", "number of its job"},
    {"task", "", "its number within the job"},
    {"task_group", "", "index of its group within the job"},
    {"group", "", "group of jobs"},
    {"scheduler", "", "the scheduler, the last one if several had the job"},
    {"cpu_cores", "cores", "request: CPU; empty: none"},
    {"memory_gib", "GiB", "request: memory; empty: none"},
    {"gpus", "cards", "request: GPUs; empty: none"},
    {"slots", "slots", "request: slots; empty: none"},
    {"state", "",
     "`waiting` (for other tasks of its job), `queued`, `in_commit`, `running`, `finished`, "
     "`failed`, `lost` or `abandoned`"},
    {"submitted_s", "s", "when its job was submitted"},
    {"eligible_s", "s",
     "from when its last delay counts: its submission, the end of the last task that it waited "
     "for, or the end of its last run if that was lost or preempted"},
    {"decided_s", "s", "when the last decision on it was handed out"},
    {"granted_s", "s", "when the grant of its owner arrived"},
    {"started_s", "s", "when its last run started on the machine"},
    {"ended_s", "s", "when its last run ended"},
    {"wait_s", "s",
     "from `eligible_s` to the beginning of the last decision, earlier attempts included"},
    {"decision_s", "s", "time of that decision"},
    {"commit_s", "s", "from `decided_s` to `granted_s`"},
    {"scheduling_delay_s", "s",
     "from `eligible_s` until it was placed: `wait_s` + `decision_s` + `commit_s`, or until "
     "`started_s` where machines have queues"},
    {"run_s", "s", "from `started_s` to `ended_s`"},
    {"attempts", "attempts",
     "placements that were committed, or how often it was sent to a machine"},
    {"conflicts", "attempts",
     "refused attempts, without those of causes that are no conflict (`aborted`)"},
    {"last_conflict", "", "cause of its last conflict, or `none`"},
    {"runs", "runs", "runs in all"},
    {"preempted", "runs", "runs that had to give way to tasks of higher priority"},
    {"lost", "runs", "runs that were lost with their machines"},
    {"work_lost_s", "s", "time of the preempted and lost runs"},
    {"machine", "", "machine of the last run"},
    {"partition", "", "partition of that machine"},
    {"owner", "", "owner that granted the last run"},
    {"quality", "", "score of that machine for the task (7 digits)"},
    {"view_age_s", "s", "age of the view of the partition at the last decision"},
    {"diverted", "", "whether the owner granted another machine than the first candidate"},
    {"reason", "", "why it waits at the end of the run; empty if it does not"},
    {"refused_s", "s",
     "time of its attempts that were refused: from the beginning of the decision to the answer; "
     "empty: none"},
    {"backed_off_s", "s",
     "time after refusals before it might be tried again (`scheduler.retry.delay`); empty: none"},
  };
  return all;
}

std::span<const file_column> attempt_columns() {
  static constexpr file_column all[] = {
    {"time_s", "s", "when the refusal arrived"},
    {"job", "", "number of the job"},
    {"task", "", "number of the task within the job"},
    {"attempt", "", "counted from 1, since the task was queued the last time"},
    {"scheduler", "", "who was refused"},
    {"owner", "", "who refused"},
    {"partition", "", "partition of the machine"},
    {"machine", "", "machine that was refused"},
    {"cause", "",
     "`taken`, `changed`, `gone`, `moved`, or `aborted`: another placement of its transaction was "
     "refused"},
    {"winner", "",
     "the other scheduler with the last grant on the machine; `scheduler` itself if there was "
     "none"},
    {"view_age_s", "s", "age of the view of the partition at the decision"},
    {"free_cpu_cores", "cores", "free on the machine after the refusal: CPU; empty: none"},
    {"free_memory_gib", "GiB", "free on the machine after the refusal: memory; empty: none"},
    {"free_gpus", "cards", "free on the machine after the refusal: GPUs; empty: none"},
    {"free_slots", "slots", "free on the machine after the refusal: slots; empty: none"},
    {"asked_cpu_cores", "cores", "request of the task: CPU; empty: none"},
    {"asked_memory_gib", "GiB", "request of the task: memory; empty: none"},
    {"asked_gpus", "cards", "request of the task: GPUs; empty: none"},
    {"asked_slots", "slots", "request of the task: slots; empty: none"},
    {"reason", "",
     "what the task waits for then: `backing_off`, `waits_for_refresh`, or `behind_others`, its "
     "turn. Empty if it is not tried again"},
    {"retry_at_s", "s", "from when on it may be tried again; empty if it is not"},
  };
  return all;
}

} // namespace troupe
