#pragma once

#include "model/job.hpp"
#include "model/protocol.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What members of a cluster tell each other so that it survives failures, as plain values. Every
/// one of these messages may be lost, late or doubled: they state what is, are repeated until they
/// are answered, and change nothing when they come again.
namespace troupe {

/// What a member is to the cluster.
enum class role : std::uint8_t { owner, scheduler, node, workload, allocator, machine, master };

inline std::string to_string(role what) {
  constexpr const char* names[] = {"owner",     "scheduler", "node",  "workload",
                                   "allocator", "machine",   "master"};
  return names[static_cast<std::size_t>(what)];
}

// -- machines and owners ------------------------------------------------------------------------

/// A task that runs on a machine, with all that its owner has to know of it.
struct running_claim {
  task_id task;
  scheduler_id scheduler = no_scheduler;
  resources demand;
  duration runtime{0};
  std::int32_t priority = 0;
  std::uint32_t tenant = 0;
};

/// The end of a task, which its machine keeps until it is known wherever it has to be.
struct machine_event {
  std::uint64_t number = 0; ///< counts those of one life of a machine, from 1
  scheduler_id scheduler = no_scheduler;
  task_end end;
};

/// A machine's sign of life.
struct machine_beat {
  machine_id machine = 0;
  incarnation life = 0;
  incarnation epoch = 0;         ///< of the owner that it obeys
  instant sent{0};               ///< by the machine's clock
  std::uint64_t orders_seen = 0; ///< of this life and epoch
  bool joins = false;            ///< it tells all that there is to know
  bool leaves = false;           ///< it is to be emptied: nothing more is to be started on it
  std::vector<running_claim> running{};
  std::vector<machine_event> ended{}; ///< since those that the owner has heard of
};

/// An owner's answer to a sign of life, or the first word of a new owner.
struct owner_word {
  owner_id owner = 0;
  incarnation epoch = 0;
  machine_id machine = 0;
  incarnation life = 0;           ///< the machine's, or the one it has to have at least; 0: any
  instant answers{0};             ///< when what is answered was sent
  bool renews = false;            ///< the machine may go on for another lease from then
  bool wants_all = false;         ///< the machine has to tell all that there is to know
  std::uint64_t events_heard = 0; ///< need not be told again in this epoch
  std::uint64_t events_done = 0;  ///< may be forgotten
};

// -- owners and schedulers ----------------------------------------------------------------------

/// A life of an owner and one of a scheduler number their messages to each other from here on: the
/// owner's statement is number 1, its reports follow. What belongs to another pair of lives is
/// older, or newer. Both lives are less than 65,536. An owner that has not learned from all its
/// machines what they run states twice: its second statement begins anew, with `stated_again`.
constexpr std::uint64_t session_base(incarnation owner, incarnation scheduler) {
  return (std::uint64_t{owner} << 48) | (std::uint64_t{scheduler} << 32);
}

constexpr std::uint64_t stated_again = std::uint64_t{1} << 31;

constexpr std::uint64_t session_of(std::uint64_t number) {
  return number & 0xFFFF'FFFF'8000'0000;
}

constexpr incarnation owner_life(std::uint64_t number) {
  return static_cast<incarnation>(number >> 48);
}

constexpr incarnation scheduler_life(std::uint64_t number) {
  return static_cast<incarnation>((number >> 32) & 0xFFFF);
}

struct task_place {
  task_id task;
  machine_id machine = 0;
};

/// All that an owner knows of a scheduler's tasks, at the beginning of a session. Whatever the
/// scheduler believes to be with this owner and is not mentioned is not there, unless it may be on
/// a machine that is unknown.
struct owner_statement {
  owner_id owner = 0;
  std::uint64_t session = 0;
  std::vector<task_place> running{};
  std::vector<task_end> ended{}; ///< of which the scheduler, or its job store, may not have heard
  /// What machines have that have not all that they have by the catalog, where schedulers are told
  /// of changes.
  std::vector<machine_capacity> capacities{};
  /// Machines that an earlier life of the owner may have had run something, and that have not told.
  std::vector<machine_id> unknown{};
};

// -- schedulers and job stores ------------------------------------------------------------------

/// A job, and what is already over of it.
struct kept_job {
  job what;
  std::vector<std::uint32_t> over{};    ///< tasks, by index, rising
  task_fate fate = task_fate::finished; ///< what became of those: the last that one of them met
};

/// The number of the job store that keeps a job.
constexpr std::uint32_t store_of(job_id id) {
  return static_cast<std::uint32_t>(id >> 40);
}

/// Counts the tasks of jobs that are not over.
inline std::uint64_t unfinished_tasks(const std::vector<kept_job>& jobs) {
  std::uint64_t n = 0;
  for (const auto& j : jobs)
    n += j.what.task_count() - j.over.size();
  return n;
}

/// Jobs from a job store, for one life of a scheduler.
struct job_delivery {
  std::uint32_t store = 0;  ///< number of the workload
  incarnation life = 0;     ///< of the scheduler
  std::uint64_t number = 0; ///< counts from 1
  bool resumed = false;     ///< all jobs that an earlier life of the scheduler has left
  std::vector<kept_job> jobs{};
};

/// What a scheduler tells a job store.
struct store_report {
  scheduler_id scheduler = 0;
  incarnation life = 0;
  std::uint64_t deliveries_seen = 0;
  std::uint64_t first = 1; ///< number of the first of the ends, counted for this store and life
  std::vector<task_id> over{};
  std::vector<task_fate> fates{}; ///< of these, in their order
};

/// A job store's answer.
struct store_seen {
  std::uint32_t store = 0;
  incarnation life = 0;     ///< of the scheduler
  std::uint64_t number = 0; ///< of ends, up to which all have come
};

// -- the recorder --------------------------------------------------------------------------------

/// Names an answer to the recorder: the life of the member that gave it, which counts its answers
/// from 1.
struct sample_mark {
  incarnation life = 0;
  std::uint64_t number = 0;
};

// -- membership ---------------------------------------------------------------------------------

/// The latest life of a member.
struct roster_entry {
  role what = role::owner;
  std::uint32_t number = 0;
  incarnation life = 0;

  friend bool operator==(const roster_entry&, const roster_entry&) = default;
};

/// Who serves as what now.
struct roster {
  incarnation master = 0;    ///< the life of the master that says so
  std::uint64_t version = 0; ///< counts the changes during that life
  std::vector<roster_entry> entries{};
};

/// A member's sign of life to the master, or that of one who could become a member.
struct member_beat {
  roster_entry who; ///< of a candidate: its role, and its own number
  bool candidate = false;
  instant sent{0};                   ///< by the member's clock
  incarnation master = 0;            ///< as in the roster that it knows
  std::uint64_t version = 0;         ///< likewise
  std::vector<roster_entry> knows{}; ///< that roster, for a master that has just been started
};

/// The master's answer.
struct beat_answer {
  incarnation master = 0;
  std::uint64_t version = 0;
  instant answers{0};       ///< when what is answered was sent
  bool tell_roster = false; ///< the master would like to know the member's roster
};

/// The master's word that a candidate is a member from now on.
struct promotion {
  roster_entry as;
  duration old_lease{0}; ///< an earlier life may act for so long
  roster now{};
};

} // namespace troupe
