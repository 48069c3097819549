#pragma once

#include "model/base/time.hpp"
#include "model/cluster/catalog.hpp"
#include "model/explain/task_watch.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <caf/actor_control_block.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace troupe {

class virtual_coordinator;

/// Finds the latest incarnation of a member that lives; null: there is none.
using member_finder = std::function<caf::strong_actor_ptr(role, std::uint32_t)>;

/// Looks into a run in virtual time, between two instants, without a trace in it. All functions
/// are called from the thread of the run.
class run_inspector {
public:
  virtual ~run_inspector() = default;

  /// Called first. Returns the watch to which schedulers and owners report a job, with its clock
  /// set; may be null.
  virtual task_watch* watch(virtual_coordinator& time) = 0;

  /// Called before anything happens.
  virtual void begin(std::shared_ptr<const catalog> machines, member_finder find) = 0;

  /// The next instant to look at, after everything of that instant has happened; nothing: none.
  virtual std::optional<instant> next() const = 0;

  /// Called at that instant. It may have the monitor end the run.
  virtual void look(instant now) = 0;

  /// Called once at the end of the run, before the last sample is taken.
  virtual void end(instant now) = 0;
};

/// Returns `go_to` with stops at the instants of an inspector; `go_to` itself if there is none.
std::function<void(instant)> looking(std::function<void(instant)> go_to, virtual_coordinator& time,
                                     run_inspector* inspector);

} // namespace troupe
