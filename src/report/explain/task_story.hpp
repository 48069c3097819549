#pragma once

#include "model/cluster/catalog.hpp"
#include "model/explain/task_watch.hpp"
#include "model/jobs/job.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace troupe {

/// A time that a task has waited, with one reason.
struct story_wait {
  instant from{0};
  instant until = no_instant; ///< none: it waits still
  wait_reason why = wait_reason::behind_others;
  std::uint64_t ahead = 0; ///< tasks ahead in the queue when it began, if that is known
};

enum class attempt_outcome : std::uint8_t { open, granted, refused, started, taken_back };

/// A placement that was decided on, or a task that was sent to a machine with a queue.
struct story_attempt {
  scheduler_id scheduler = no_scheduler;
  instant began = no_instant;    ///< of the decision; none where machines are probed
  instant decided = no_instant;  ///< handed out, or sent
  instant answered = no_instant; ///< granted, refused or started
  machine_id machine = no_machine;
  owner_id owner = no_scheduler;
  machine_id got = no_machine; ///< the machine that was granted, or where it started
  attempt_outcome outcome = attempt_outcome::open;
  duration age = unknown_time;
  double quality = 0;
  std::optional<attempt_record> refusal{};
  instant winner_granted = no_instant;
  task_id winner_task{};
  instant retry_at = no_instant; ///< of a refusal with a back-off
  bool waits_for_refresh = false;
  std::shared_ptr<watched_pick> pick{};
  bool by_plugin = false; ///< committed by a plugin: `began` is not known and equals `decided`
  machine_id reserved_on = no_machine; ///< late binding: the reservation, and ..
  bool late = false;                   ///< .. whether a machine asked for it
};

enum class run_end : std::uint8_t { runs, finished, failed, lost, preempted, unknown };

struct story_run {
  machine_id machine = no_machine;
  owner_id owner = no_scheduler;
  scheduler_id scheduler = no_scheduler;
  instant placed = no_instant;  ///< none: before its scheduler was replaced
  instant started = no_instant; ///< as in the records
  instant ended = no_instant;
  run_end end = run_end::runs;
  std::optional<task_id> by{}; ///< preempted: for this task ..
  std::int32_t by_priority = 0;
  duration worked = unknown_time; ///< preempted
};

/// Probes or reservations for its group of tasks.
struct story_probe {
  instant at{0};
  scheduler_id scheduler = no_scheduler;
  bool reserved = false;
  std::vector<machine_id> machines{};
  instant answered = no_instant;
  std::uint64_t with_room = 0;
};

/// What became of a gang's attempts.
struct story_gang {
  struct hold {
    instant at{0};
    owner_id owner = no_scheduler;
    std::uint64_t tasks = 0;
  };

  std::uint64_t passed_over = 0; ///< times
  instant since = no_instant;    ///< the first time
  std::uint64_t most_placed = 0; ///< of its tasks found a place then, at best
  std::vector<hold> holds{};     ///< of the last attempt
};

/// The events of a task in order of time, collected from the watch on its job.
struct task_story {
  task_id task;
  std::uint32_t group_index = 0; ///< of tasks, within the job
  instant submitted = no_instant;
  instant eligible = no_instant; ///< as in the records: of its last wait
  std::vector<story_wait> waits{};
  std::vector<story_attempt> attempts{};
  std::vector<story_run> runs{};
  std::vector<story_probe> probes{};
  story_gang gang{};
  std::vector<std::pair<instant, scheduler_id>> takeovers{};
  std::vector<std::pair<instant, machine_id>> moves{};
  std::optional<task_fate> fate{};
  instant ended = no_instant;
  std::uint64_t found_none = 0; ///< times the policy found no machine
};

/// Puts together what happened to a task of a job until `until`.
task_story tell_story(const job& of, std::uint32_t task, std::span<const watched_event> events,
                      instant until);

/// The index of the group of a task within its job.
std::uint32_t group_of_task(const job& of, std::uint32_t task);

} // namespace troupe
