#pragma once

#include "jobs/protocol/work_exchange.hpp"
#include "jobs/spec/attempt_spec.hpp"
#include "model/base/resources.hpp"
#include "nodes/execution/task_folders.hpp"
#include "process/command/command_spec.hpp"
#include "process/command/control_group.hpp"
#include "process/supervisor/supervisor_client.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// How commands run on a node.
struct command_rules {
  std::vector<std::string> supervise;        ///< the program that starts supervisors, and its words
  std::map<std::string, std::string> env;    ///< variables for each command, beside its own
  command_user user{};                       ///< set: commands run as this user
  std::optional<group_of_commands> groups{}; ///< where they get control groups
  /// How long the start of a command is tried again if the host cannot start it, because its disk
  /// or its table of processes is full: a host that returned such commands quickly would always be
  /// free, and would get all waiting tasks.
  std::int64_t room_patience_ms = 10'000;
  /// How long the node waits for the supervisor of a command. A busy host may take many seconds to
  /// run it, and another attempt would only add to the load.
  std::int64_t supervisor_patience_ms = 30'000;
};

/// The attempts whose commands run on a node, or have ended without the job service having seen it.
/// Those that an earlier process of the node has started are adopted. For one thread.
class running_attempts {
public:
  running_attempts(const task_folders& folders, command_rules rules);

  /// Starts the command of an attempt, whose lease began at `asked_ns` (`boot_clock_ns`). Does
  /// nothing if it is known. One that cannot be started has ended at once, with the reason; one
  /// that the host cannot start, as its disk is full, is tried again for a while, at each
  /// `look_at_all`.
  void start(const attempt_spec& spec, std::int64_t asked_ns);

  /// Asks for the end of a command. A command that is unknown here does not run, and never will:
  /// this is reported as its end. With `host_failed` it is only a question: a known command
  /// continues.
  void stop(const attempt_key& which, end_reason reason, std::int64_t grace_ms);

  /// The job service has renewed the lease of an attempt, as asked for at `asked_ns`.
  void renew(const attempt_key& which, std::int64_t asked_ns);

  /// Checks which commands have ended: those that supervisors report, or all.
  void look();
  void look_at_all();

  /// Readable when supervisors tell something; -1 if none has been started.
  int fd() const { return client_.fd(); }

  bool knows(const attempt_key& which) const { return attempts_.contains(which); }

  /// Whether its end is known here, and the job service may not have received it.
  bool has_ended(const attempt_key& which) const;

  /// Those whose commands run, or may run.
  std::vector<attempt_key> running() const;

  struct ended {
    attempt_key which;
    bool succeeded = false; ///< its command ended by itself, with exit code 0
    friend bool operator==(const ended&, const ended&) = default;
  };

  /// The ends since the last call.
  std::vector<ended> take_ended();

  /// The ends that the job service has not seen.
  std::vector<attempt_end> unseen() const;
  void seen(const attempt_key& which);

  bool any_runs() const;

  /// What the commands that run, and were started by an earlier process, have asked for.
  resources adopted_use() const;

private:
  struct attempt {
    std::optional<attempt_page> page{};   ///< none: it could not be made
    std::int64_t began_ns = 0;            ///< since when a supervisor is expected
    std::int64_t lease_ns = 0;            ///< 0: forever
    std::optional<attempt_spec> unmade{}; ///< the host could not start it yet
    std::int64_t asked_ns = 0;            ///< of that one: when its lease was last renewed
    bool lost = false;                    ///< no supervisor has it, or will have it
    std::optional<attempt_end> end{};
    resources adopted{}; ///< its demand, if an earlier process has started it
  };

  void adopt(const attempt_key& which);
  void try_to_start(const attempt_spec& spec, attempt& a);
  void look_at(const attempt_key& which, attempt& a);
  void lose(const attempt_key& which, attempt& a);
  std::int64_t room_patience() const;
  std::int64_t supervisor_patience() const;
  command_end never_begun() const;
  command_end unknown_here(const attempt_key& which) const;
  void close(const attempt_key& which, attempt& a, const command_end& how);
  command_spec command_of(const attempt_spec& spec) const;
  std::string control_group_of(const attempt_key& which) const;

  const task_folders& folders_;
  command_rules rules_;
  supervisor_client client_;
  std::map<attempt_key, attempt> attempts_;
  std::vector<ended> newly_ended_;
};

} // namespace troupe
