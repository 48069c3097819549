#pragma once

#include "jobs/service/job_service.hpp"
#include "jobs/store/keeper_lease.hpp"
#include "model/cluster/machine_description.hpp"
#include "nodes/execution/machine_history.hpp"
#include "nodes/routing/node_messages.hpp"
#include "web/route_table.hpp"
#include "workload/generate/live_source.hpp"

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

/// The job service of a node, between the clients, the workload, and the nodes with machines.
class job_desk {
public:
  /// Opens the store, or creates it: the database of the lease, which this node has; if it is null,
  /// a file in `state`. Throws `std::runtime_error` if the store cannot be used.
  job_desk(const std::filesystem::path& state, std::shared_ptr<keeper_lease> lease,
           service_options options);
  job_desk(const job_desk&) = delete;
  job_desk& operator=(const job_desk&) = delete;
  ~job_desk();

  /// The jobs for the workload.
  const std::shared_ptr<live_source>& source() const { return source_; }

  job_service& service() { return *service_; }

  /// Adds the routes of clients. `way`, the node's gateway, reads the output of commands on their
  /// nodes; `machines` says which machines may get tasks now; without `gangs`, jobs with gangs are
  /// refused.
  void mount(route_table& routes, caf::actor_system& system, const caf::actor& way,
             std::function<std::vector<machine_description>()> machines, bool gangs);

  /// The orders for policies that the store had, with times in ns since 1970.
  std::vector<policy_order> kept_policies() const;

  /// Keeps orders of a cluster that began at `origin`; says, from any thread, whether they are
  /// durable.
  void keep(const std::vector<policy_order>& orders, std::int64_t origin,
            std::function<void(bool durable)> tell);

  /// Keeps which machines there are; asks `hosts` a few times a second. To be called often, by one
  /// thread.
  void note_machines(const std::function<std::vector<named_machine>()>& hosts);

  /// Passes on the service's answer to a report, from any thread.
  void hear(const work_report& report, const std::function<void(std::optional<work_answer>)>& tell);

private:
  /// Rows that the service is to keep.
  struct note {
    enum class state { under_way, kept, lost };
    std::vector<machine_row> rows;
    std::atomic<state> at{state::under_way};
  };

  void pass_on();

  std::shared_ptr<live_source> source_ = std::make_shared<live_source>();
  std::unique_ptr<job_service> service_;
  machine_history machines_;
  std::shared_ptr<note> noted_; ///< the last one
  std::chrono::steady_clock::time_point looks_at_machines_{};
};

} // namespace troupe
