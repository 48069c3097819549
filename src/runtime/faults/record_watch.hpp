#pragma once

#include "runtime/faults/first_violation.hpp"
#include "runtime/faults/record_audit.hpp"
#include "runtime/faults/scheduler_books.hpp"

#include <caf/fwd.hpp>

#include <vector>

namespace troupe {

/// Returns, by group of jobs, whether their tasks are killed when their estimates are over.
std::vector<bool> kills_in(const run_settings& settings);

/// Feeds a `record_audit` with the messages and events of the members of a cluster.
class record_watch {
public:
  /// All must outlive it. Nothing fails, members and network, before `first_failure`.
  record_watch(const simulated_cluster& on, const run_settings& settings, instant first_failure,
               first_violation& to);

  task_history& truth() { return records_.truth(); }

  /// A member is about to handle a message.
  void hear(const caf::monitorable_actor& actor, const caf::type_erased_tuple& content,
            instant now);

  /// A scheduler has handled a message.
  void look_at(const simulated_cluster::process& who, const record_outbox* kept, instant now);

  /// All jobs are over.
  void check_end(instant now);

private:
  void disturb_if_failed(instant now);
  record_audit::totals totals_of_stores() const;

  const simulated_cluster& cluster_;
  const run_settings& settings_;
  instant first_failure_;
  first_violation& to_;
  record_audit records_;
};

} // namespace troupe
