#pragma once

#include "model/explain/task_situation.hpp"
#include "model/explain/task_watch.hpp"
#include "runtime/inspect/run_inspector.hpp"
#include "settings/schema/settings.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// What is to be found out about a run that is made again.
struct replay_question {
  job_id job = 0;
  std::optional<std::uint32_t> task; ///< none: the job as a whole
  std::optional<machine_id> machine; ///< why-not: of this machine
  std::optional<instant> at;         ///< look into the run then, and end it
  bool to_the_end = false;           ///< else the run ends when the task is over
  std::optional<instant> until{};    ///< a run in progress: later events are unknown
};

/// A look at a task at one instant.
struct task_look {
  instant at{0};
  task_situation in;    ///< `unknown`: no scheduler has the job
  machine_survey truth; ///< by the owners, or the machines with queues
  std::optional<machine_finding> asked_truth;
  std::uint32_t asked_waiting = 0;    ///< in the queue of the machine that was asked about
  std::optional<double> placed_per_s; ///< by its scheduler, lately
  bool probes = false;                ///< its scheduler probes machines, or uses their queues
  bool from_plugin = false;           ///< its scheduler is from a plugin
  bool owner_lives = true;            ///< the owner that has to answer a commit
};

/// What a replay has found out.
struct replay_answer {
  std::vector<watched_event> events; ///< of the job, by time
  std::optional<job> what;           ///< nothing: no scheduler had the job
  std::optional<task_look> look;     ///< at the instant asked for, or at the end of the run
  instant until{0};                  ///< when the replay ended
  bool over = false;                 ///< the run was at its end then
  std::shared_ptr<const catalog> machines;
  std::uint64_t rows = 0; ///< of the time series that agree with the recorded ones
  std::string differs;    ///< how a row differs from the recorded one; empty: none does
};

/// Repeats a run in virtual time, up to the instant of the question. `recorded` is the text of its
/// timeseries.csv, with which the rows are compared; empty: they are not compared. `progress` is
/// called with the time reached and may return true to give up. Throws `std::runtime_error` as
/// `run` does.
replay_answer replay(const run_settings& settings, const replay_question& question,
                     const std::string& recorded,
                     const std::function<bool(instant)>& progress = {});

} // namespace troupe
