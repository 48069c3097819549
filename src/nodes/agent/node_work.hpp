#pragma once

#include "nodes/agent/node_agent.hpp"
#include "nodes/agent/run_node.hpp"
#include "runtime/run/row_feed.hpp"
#include "runtime/run/run.hpp"
#include "runtime/time/stopwatch.hpp"

#include <cstddef>
#include <optional>

namespace troupe {

/// Follows the workload of a node from its start to its results.
class node_work {
public:
  node_work(node_agent& members, node_monitor& monitor) : members_(members), monitor_(monitor) {}

  /// To be called often.
  void look();

  /// Takes the measurements so far as the result.
  void end(bool interrupted);

private:
  struct as_run final : run_monitor {
    explicit as_run(node_monitor& m) : of(m) {}
    void progress(const run_progress& at) override { of.progress(at); }
    bool stop_requested() override { return of.stop_requested(); }
    bool take_row(const interval_record& row, const run_results& so_far) override {
      return of.take_row(row, so_far);
    }
    bool take_row(const tenant_record& row, const run_results& so_far) override {
      return of.take_row(row, so_far);
    }
    void take_records(const record_batch& records, const run_results& so_far) override {
      of.take_records(records, so_far);
    }
    node_monitor& of;
  };

  void follow_policies();

  node_agent& members_;
  node_monitor& monitor_;
  as_run as_run_{monitor_};
  std::optional<row_feed> feed_; ///< once the workload has begun
  stopwatch watch_;
  duration next_{0};
  duration glance_at_{duration::min()};
  std::size_t policy_changes_ = 0; ///< that the rows know of
  bool over_ = false;
};

} // namespace troupe
