#pragma once

#include "runtime/cluster/placing_core.hpp"
#include "runtime/cluster/probing_member.hpp"
#include "settings/schema/settings.hpp"

#include <optional>

namespace troupe {

/// What a scheduler knows of its tasks, as an audit reads it; one of the two parts is set.
struct scheduler_books {
  std::optional<placing_core> placing;
  std::optional<probing_member> probing;

  /// Returns those of a scheduler, or nothing once it has ended.
  static std::optional<scheduler_books> of(const simulated_cluster::process& who,
                                           const run_settings& settings);

  task_counts counts() const;
  const record_outbox* recording() const; ///< its records; null if it keeps none
  const group_counters& counters() const;
  const failover_books* failover() const; ///< null if failures are not watched
};

} // namespace troupe
