#pragma once

#include "actors/common/run_clock.hpp"
#include "model/cluster/catalog.hpp"
#include "model/machine/capacity_schedule.hpp"
#include "nodes/clocks/utc_clock.hpp"
#include "nodes/routing/node_messages.hpp"
#include "nodes/routing/snapshot_codec.hpp"
#include "settings/schema/settings.hpp"

#include <caf/fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace troupe {

/// The cluster that a node has joined: its settings and machines, its time, and the numbers of the
/// node in it. Most is known only once the cluster has begun.
class joined_cluster {
public:
  joined_cluster(caf::actor_system& system, node_identity who)
    : system_(system), who_(std::move(who)) {}

  /// The node has been taken in. Throws `std::runtime_error` if the settings cannot be used, or the
  /// cluster has begun and the master knows another one, or other numbers of the node.
  void welcome(const node_welcome& as);

  /// Takes the latest list of nodes. Returns whether the cluster begins with it.
  bool learn(const node_list& nodes);

  bool begun() const { return begun_; }

  /// Returns whether the cluster has begun before this node's process.
  bool resumes() const { return resumes_; }

  /// The settings; nothing before the first welcome.
  const std::optional<run_settings>& settings() const { return settings_; }

  // -- the node in it -------------------------------------------------------------------------

  std::uint32_t index() const { return index_; }

  /// The numbers of the node's machines.
  const machine_numbers& machines() const { return machines_; }

  /// In a cluster that grows: the machine of the node has another place.
  void renumber(const machine_numbers& machines) { machines_ = machines; }

  // -- once it has begun ----------------------------------------------------------------------

  const std::shared_ptr<const catalog>& all_machines() const { return catalog_; }
  bool grows() const { return catalog_->grows(); }
  const capacity_schedules& schedules() const { return schedules_; }
  snapshot_sizes sizes() const;
  const run_clock& clock() const { return clock_; }

  /// The present instant of the cluster's time.
  instant now() const;

  /// The beginning of the cluster's time, in ns since 1970.
  std::int64_t origin() const { return origin_; }

  /// How long machines and owners have to find each other, and views to be refreshed, before the
  /// first job is due.
  duration lead() const;

  /// Returns the instant at which the first job is due. All nodes can tell it from the incarnation
  /// of the workload.
  instant work_begins(incarnation_id workload) const;

  /// Returns whether machines follow a trace or windows from the time on at which the first job is
  /// due.
  bool follows_work() const;

  /// The time of day as the members here count it, in ns since 1970: by the host's clock at the
  /// beginning of the cluster. By the host's clock until then.
  std::int64_t time_of_day() const;

private:
  void check_same(const node_welcome& as) const;
  void begin(const node_list& nodes);

  caf::actor_system& system_;
  const node_identity who_;
  const std::int64_t made_at_ = utc_ns();
  std::optional<run_settings> settings_;
  std::string settings_text_; ///< as the master has sent them
  std::uint32_t index_ = 0;
  machine_numbers machines_;
  bool begun_ = false;
  bool resumes_ = false;
  std::shared_ptr<const catalog> catalog_;
  capacity_schedules schedules_; ///< of the machines
  run_clock clock_{};
  std::int64_t origin_ = 0;
};

} // namespace troupe
