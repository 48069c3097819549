#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/metrics/metrics.hpp"
#include "model/protocol/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A decision of a scheduler.
struct decision_event {
  scheduler_id scheduler = 0;
  instant from{0};
  instant to{0}; ///< when it is handed out
  std::string policy;
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  job_id first_job = 0;
  duration view_age{0}; ///< of the oldest partition that it uses
};

/// Snapshots that a scheduler received.
struct snapshot_event {
  instant at{0};
  scheduler_id scheduler = 0;
  owner_id owner = 0;
  std::uint64_t round = 0;
  std::uint64_t partitions = 0;
  duration age{0}; ///< of the oldest one
};

/// A commit, when it was answered or will not be any more.
struct commit_event {
  struct handling {
    owner_id owner = 0;
    instant at{0};
  };
  struct refusal {
    conflict_cause cause = conflict_cause::taken;
    machine_id machine = 0;
    scheduler_id winner = no_scheduler;
  };

  scheduler_id scheduler = 0;
  commit_id id = 0;
  commit_mode mode = commit_mode::each;
  instant sent{0};
  bool answered = false;
  instant ended{0}; ///< when the answer arrived, or the end of the run
  std::uint64_t tasks = 0;
  std::vector<handling> handled{}; ///< by its owner, several times if it was repeated
  std::vector<refusal> refused{};
};

/// Receives the events of the members of a run, from one thread.
class member_events {
public:
  virtual ~member_events() = default;

  /// Returns whether it wants to hear of a member: of the role "master", "owner" or "scheduler".
  virtual bool shows(std::string_view role, std::uint32_t number) const = 0;
  virtual bool shows_snapshots() const = 0;

  /// Called first: the members of this run are watched.
  virtual void watched() = 0;
  virtual void round(instant at, std::uint64_t number) = 0;
  virtual void decision(const decision_event& what) = 0;
  virtual void queue(instant at, scheduler_id scheduler, std::uint64_t tasks) = 0;
  virtual void arrival(instant at, scheduler_id scheduler, std::uint64_t jobs,
                       std::uint64_t tasks) = 0;
  virtual void snapshot(const snapshot_event& what) = 0;
  virtual void offer(instant at, scheduler_id scheduler, std::uint64_t machines) = 0;
  virtual void commit(const commit_event& what) = 0;
};

} // namespace troupe
