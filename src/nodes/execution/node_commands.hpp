#pragma once

#include "nodes/agent/run_node.hpp"
#include "nodes/execution/command_executor.hpp"

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

#include <functional>
#include <memory>
#include <mutex>

namespace troupe {

/// The commands of tasks that a node runs: makes their executor when the cluster has begun, and
/// reads their output.
class node_commands {
public:
  /// `way`, the node's gateway, must outlive it.
  node_commands(caf::actor_system& system, const node_options& options);

  /// To be called before the executor is made.
  void set_way(caf::actor way) { way_ = std::move(way); }

  /// Makes the executor, which gets the present time of the cluster. Throws `std::runtime_error` if
  /// the state directory cannot be used.
  std::shared_ptr<node_executor> make_executor(std::function<instant()> now);

  /// Ends the commands, unless they are kept. To be called while the gateway lives.
  void end();

  /// May be called by any thread.
  output_reply read(const output_request& asked) const;

private:
  work_answer ask(const work_report& report);
  command_rules rules() const;

  caf::actor_system& system_;
  const node_options& options_;
  caf::actor way_;
  mutable std::mutex mutex_; ///< guards the following members
  std::shared_ptr<const task_folders> folders_;
  std::shared_ptr<command_executor> executor_;
};

} // namespace troupe
