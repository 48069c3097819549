#pragma once

#include "runtime/cluster/assembly.hpp"
#include "runtime/run/drive.hpp"
#include "runtime/timeline/member_tap.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <functional>
#include <memory>

namespace troupe {

/// An actor system in virtual time for one run, and the loop that drives it. The caller owns the
/// cluster, which must end before this does.
class virtual_run {
public:
  virtual_run(const run_settings& settings, std::shared_ptr<run_record> record,
              run_monitor& monitor);

  caf::actor_system& system() { return system_; }
  virtual_coordinator& time() { return time_; }

  /// Returns the options for the assembly of a cluster.
  assembly_options options();

  /// Runs until the run is over: `go_to` advances time to an instant, and `finish` takes the last
  /// sample. Throws as `drive_virtual`.
  drive_outcome go(const std::function<void(instant)>& go_to,
                   const std::function<void(drive_outcome&)>& finish);

private:
  struct system_config : caf::actor_system_config {
    explicit system_config(const run_settings& settings);
  };

  const run_settings& settings_;
  std::shared_ptr<run_record> record_;
  run_monitor& monitor_;
  system_config config_;
  caf::actor_system system_{config_};
  virtual_coordinator& time_ = virtual_coordinator::of(system_);
  member_tap tap_{time_, settings_, monitor_.members()};
  stopwatch watch_;
};

} // namespace troupe
