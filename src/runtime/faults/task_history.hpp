#pragma once

#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/protocol.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace troupe {

/// The real events of tasks, seen from outside their schedulers: their runs on machines, and the
/// requests to owners with their answers.
class task_history {
public:
  enum class run_state : std::uint8_t {
    runs,
    ended,  ///< by itself
    killed, ///< before its time, on a machine that lives
    lost,   ///< with its machine
  };

  struct run {
    machine_id machine = 0;
    std::uint64_t number = 0; ///< of this run, by its executor
    instant from{0};
    instant to{0}; ///< defined unless it runs
    run_state state = run_state::runs;
    task_outcome outcome = task_outcome::finished; ///< of a run that ended by itself
  };

  /// A placement that an owner refused, and that is no mere consequence of another refusal.
  struct refusal {
    instant at{0}; ///< when the answer reached the scheduler
    owner_id owner = 0;
    machine_id machine = 0;
    conflict_cause cause = conflict_cause::taken;
    scheduler_id winner = no_scheduler;
    resources free;
    bool recorded = false;
  };

  struct story {
    std::vector<run> runs;
    std::uint32_t asked = 0; ///< placements that owners were asked for, each counted once
    /// Of these, holds that were asked of the owner in an earlier session, maybe of the owner that
    /// it has replaced: under a new number, as part of the same attempt.
    std::uint32_t repeated = 0;
    std::vector<refusal> refusals;
    std::uint32_t stated = 0; ///< refusals that statements of owners imply, by their records

    /// Counts the runs in a state.
    std::uint32_t count(run_state state) const;

    /// Returns the run on a machine that ended by itself at an instant, or null.
    const run* ended_on(machine_id machine, instant at) const;
  };

  // -- machines -----------------------------------------------------------------------------------

  void started(const task_id& task, machine_id machine, std::uint64_t number, instant now);
  void ended(const task_end& end, std::uint64_t number);
  void killed(const task_id& task, std::uint64_t number, instant now);

  /// A machine dies with all that it runs.
  void lose_machine(machine_id machine, instant now);

  // -- owners -------------------------------------------------------------------------------------

  /// An owner receives a commit; one that comes again counts once.
  void asked(owner_id owner, const commit_request& wanted);

  /// A scheduler receives an answer; one that comes again counts once.
  void answered(scheduler_id scheduler, const commit_reply& reply, instant now);

  /// A scheduler receives a statement, which answers all that the owner has not answered.
  void stated(const owner_statement& statement, scheduler_id to, instant now) {
    statements_.insert({statement.owner, to, now});
    of_successors_[to] += owner_incarnation(statement.session) > 1 ? 1 : 0;
  }

  bool has_stated(owner_id owner, scheduler_id to, instant at) const {
    return statements_.contains({owner, to, at});
  }

  /// Counts the statements of owners that replaced others. Each may tell a scheduler that a
  /// placement of a task never came to an owner.
  std::uint32_t statements_of_successors(scheduler_id to) const {
    const auto it = of_successors_.find(to);
    return it == of_successors_.end() ? 0 : it->second;
  }

  // -- stories ------------------------------------------------------------------------------------

  story& of(const task_id& task) { return stories_[task]; }

private:
  struct request {
    std::vector<placement> placements;
    std::uint64_t session = 0; ///< with the owner
    bool answered = false;
  };

  run* find(const task_id& task, std::uint64_t number);

  /// Returns whether a scheduler asks for a hold that it asked for in an earlier session with the
  /// owner, without an answer.
  bool repeats(owner_id owner, const commit_request& wanted) const;

  std::map<task_id, story> stories_;
  std::map<machine_id, std::vector<std::pair<task_id, std::uint64_t>>> running_; ///< by machine
  std::map<std::tuple<scheduler_id, owner_id, commit_id>, request> requests_;
  std::set<std::tuple<owner_id, scheduler_id, instant>> statements_;
  std::map<scheduler_id, std::uint32_t> of_successors_;
};

} // namespace troupe
