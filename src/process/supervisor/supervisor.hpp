#pragma once

#include "process/attempt/attempt_folder.hpp"
#include "process/command/command_spec.hpp"
#include "process/command/control_group.hpp"
#include "process/command/output_file.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <sys/resource.h>

namespace troupe {

/// Runs the command of one attempt from its start to its end: the parent of the command, in a
/// process with one thread that does nothing else. It outlives the node, whose crash costs no task.
///
/// It kills the command, and all processes that this has started, when the lease in the attempt's
/// page runs out, so that a task whose node is stopped or cut off has ended before it runs on
/// another machine. It does the same when the node asks for it (SIGTERM first, and SIGKILL after
/// the grace period), and at the limits of the specification. Processes that outlive the command
/// are killed.
class supervisor {
public:
  /// The report to the node, which need not be running.
  enum class note : char { started = 's', ended = 'e' };

  /// `tied_to`: a pidfd, or -1. All ends with that process, too.
  supervisor(attempt_folder folder, std::function<void(note)> tell, int tied_to = -1);

  /// Returns after the end of all its processes. Throws `std::runtime_error` if the folder cannot
  /// be used, or another supervisor has it.
  void run();

private:
  bool start_patiently();
  bool start();
  void open_outputs();
  void wait_for_something();
  void reap();
  void look();
  void look_at_sizes(std::int64_t now);
  void ask_to_end(end_reason reason, std::int64_t grace_ms, std::int64_t now);
  void kill_all();
  void note_usage(const rusage& used);
  void finish();
  std::int64_t next_look(std::int64_t now) const;

  attempt_folder folder_;
  std::function<void(note)> tell_;
  int tied_to_;
  attempt_page page_;
  command_spec spec_;
  std::optional<control_group> group_;
  std::optional<output_file> out_;
  std::optional<output_file> err_;
  unique_fd signals_; ///< a signalfd: of children that have ended, and of the node
  command_end end_;
  pid_t command_ = -1;
  bool over_ = false;        ///< the command has ended
  bool none_left_ = false;   ///< all processes have
  bool killing_ = false;     ///< SIGKILL was sent
  bool asked_ = false;       ///< SIGTERM was sent
  std::int64_t kill_at_ = 0; ///< while asked_
  std::int64_t sizes_at_ = 0;
  std::int64_t time_limit_at_ = attempt_page::forever;
};

} // namespace troupe
