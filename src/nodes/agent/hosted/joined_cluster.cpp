#include "nodes/agent/hosted/joined_cluster.hpp"

#include "model/base/log.hpp"
#include "nodes/agent/settings_shape.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "settings/toml/read.hpp"

#include <caf/all.hpp>

#include <stdexcept>

namespace troupe {

namespace {

std::string numbers_text(std::uint32_t index, const machine_numbers& machines) {
  auto text = "number " + std::to_string(index);
  if (machines.count > 0)
    text += ", with machines " + std::to_string(machines.first) + " to " +
            std::to_string(machines.first + machines.count - 1);
  return text;
}

} // namespace

void joined_cluster::welcome(const node_welcome& as) {
  check_same(as);
  index_ = as.index;
  if (!begun_ || !grows()) // else the list of nodes says it
    machines_ = as.machines;
  if (begun_ || as.settings == settings_text_)
    return;
  settings_ = parse_settings(as.settings, "the master's settings");
  settings_text_ = as.settings;
  settings_->failures.watch = watch_kind::on; // processes can always fail
  if (who_.roles.owners > 0 && owner_places(*settings_) == 0)
    log::info("node {}: schedulers probe machines here, so there are no owners", who_.name);
}

/// Throws `std::runtime_error` if members that live here cannot go on in the cluster of the master.
void joined_cluster::check_same(const node_welcome& as) const {
  if (!begun_)
    return;
  if (const auto why = shape_difference(settings_text_, as.settings); !why.empty())
    throw std::runtime_error("the master was started with other settings than those that this node "
                             "runs by: " +
                             why + "; start this node again, or the master with its former ones");
  const bool other = !grows() && as.origin != 0 && as.origin != origin_;
  const bool moved = !grows() && as.machines != machines_;
  if (other)
    throw std::runtime_error("the master has begun another cluster than the one that this node "
                             "belongs to; start this node again");
  if (moved || as.index != index_)
    throw std::runtime_error("this node is " + numbers_text(index_, machines_) +
                             ", and the master, which does not know that, makes it " +
                             numbers_text(as.index, as.machines) + "; start this node again");
}

bool joined_cluster::learn(const node_list& nodes) {
  const bool begins = nodes.origin != 0 && settings_ && !begun_;
  if (begins)
    begin(nodes);
  if (begun_ && grows())
    catalog_->growth()->set(nodes.described);
  return begins;
}

void joined_cluster::begin(const node_list& nodes) {
  begun_ = true;
  // What the times of windows count from: where commands run they are in UTC, from 1970 on.
  const auto windows_begin = settings_->runs_commands()
                               ? std::make_shared<const run_begin>(instant{-nodes.origin})
                               : std::shared_ptr<const run_begin>{schedules_.begin};
  auto made = build_machines(*settings_, nodes.described, windows_begin);
  schedules_.of = schedules_of(made);
  catalog_ = std::make_shared<const catalog>(std::move(made.machines));
  clock_ = clock_since(system_.clock(), nodes.origin);
  origin_ = nodes.origin;
  // The clocks of hosts differ a little; the master's own has told the time at which all begins,
  // unless it has gone back since.
  resumes_ = now() > std::chrono::seconds{1} ||
             (who_.roles.master && (made_at_ > origin_ || now() < instant{0}));
}

snapshot_sizes joined_cluster::sizes() const {
  snapshot_sizes sizes{owner_places(*settings_), catalog_->columns().size(), {}};
  for (partition_id p = 0; p < catalog_->partitions(); ++p)
    sizes.machines.push_back(static_cast<std::uint32_t>(catalog_->members(p).size()));
  return sizes;
}

instant joined_cluster::now() const {
  return system_.clock().now() - clock_.origin;
}

duration joined_cluster::lead() const {
  const auto calls =
    any_probes(*settings_) ? settings_->cluster.machines / settings_->sparrow.session_calls : 0;
  return settings_->failures.heartbeat * (2 + calls) + settings_->sync.gap;
}

instant joined_cluster::work_begins(incarnation_id workload) const {
  return instant{begin_of_incarnation(workload) - origin_} + lead();
}

bool joined_cluster::follows_work() const {
  return !grows() && (!schedules_.of.empty() || catalog_->windows() != nullptr);
}

std::int64_t joined_cluster::time_of_day() const {
  return begun_ ? origin_ + std::chrono::duration_cast<std::chrono::nanoseconds>(now()).count()
                : utc_ns();
}

} // namespace troupe
