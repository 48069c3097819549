#include "runtime/cluster/probing.hpp"

#include "actors/plugin/scheduler_plugin.hpp"
#include "settings/schema/kept_records.hpp"

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

/// Returns whether `holds` of any kind of schedulers in the run.
template <class Predicate>
bool any_kind(const run_settings& settings, Predicate holds) {
  if (settings.pool > 0)
    return holds(settings.scheduler.actor);
  return std::ranges::any_of(settings.groups,
                             [&](const auto& g) { return holds(g.scheduler.actor); });
}

bool is_hybrid(const std::string& actor) {
  return builtin_scheduler_of(actor) == builtin_scheduler::hybrid;
}

scheduler_protocol protocol_of(const std::string& actor) {
  const auto* scheduler = find_scheduler(actor);
  return scheduler == nullptr ? scheduler_protocol::owners : scheduler->protocol;
}

bool is_prober(const std::string& actor) {
  return is_hybrid(actor) || protocol_of(actor) == scheduler_protocol::queues;
}

} // namespace

bool any_probes(const run_settings& settings) {
  return any_kind(settings, is_prober);
}

bool probed(const group_settings& group, const run_settings& settings) {
  return is_prober(settings.pool > 0 ? settings.scheduler.actor : group.scheduler.actor);
}

bool any_places(const run_settings& settings) {
  return any_kind(settings, [](const std::string& actor) {
    return is_hybrid(actor) || protocol_of(actor) == scheduler_protocol::owners;
  });
}

std::uint32_t long_schedulers(const scheduler_settings& alike, const run_settings& settings) {
  return is_hybrid(alike.actor) ? settings.hybrid.long_schedulers : 0;
}

bool probes(const scheduler_settings& alike, const run_settings& settings, std::uint32_t i) {
  if (is_hybrid(alike.actor))
    return i >= long_schedulers(alike, settings);
  return protocol_of(alike.actor) == scheduler_protocol::queues;
}

std::uint32_t reserved_partitions(const run_settings& settings) {
  const bool hybrid = any_kind(settings, is_hybrid);
  if (!hybrid)
    return 0;
  return static_cast<std::uint32_t>(
    std::lround(static_cast<double>(settings.cluster.partitions) * settings.hybrid.reserved));
}

sparrow_limits probing_limits(const scheduler_settings& alike, const run_settings& settings) {
  const auto& s = settings.sparrow;
  return {s.probing,   s.cancellation, s.ratio,      s.adaptive_ratio, s.ratio_min,
          s.ratio_max, alike.t_job,    alike.t_task, settings.warmup,  kept_records(settings),
          nullptr};
}

} // namespace troupe
