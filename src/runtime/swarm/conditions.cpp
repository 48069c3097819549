#include "runtime/swarm/conditions.hpp"

#include "settings/schema/settings.hpp"
#include "settings/toml/duration_text.hpp"

#include <charconv>

namespace troupe::swarm_conditions {

namespace {

double as_number(v text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

double as_seconds(v text) {
  return to_seconds(parse_duration(text));
}

} // namespace

bool failing(p d) {
  return d.mode() == swarm_mode::failing;
}
bool calm(p d) {
  return d.mode() == swarm_mode::calm;
}
bool virtual_time(p d) {
  return d.mode() != swarm_mode::real;
}
bool real(p d) {
  return d.mode() == swarm_mode::real;
}
bool probes(p d) {
  return d.is("architecture", architecture_kind::sparrow) ||
         d.is("architecture", architecture_kind::hybrid);
}
bool fails_probing(p d) {
  return failing(d) && probes(d);
}
bool hybrid(p d) {
  return d.is("architecture", architecture_kind::hybrid);
}
bool places(p d) {
  return !d.is("architecture", architecture_kind::sparrow);
}
bool only_places(p d) {
  return !probes(d);
}
bool offers(p d) {
  return d.is("architecture", architecture_kind::two_level);
}
bool exclusive(p d) {
  return d.is("architecture", architecture_kind::fixed_shares) ||
         d.is("architecture", architecture_kind::monolithic);
}
bool shared(p d) {
  return only_places(d) && !offers(d) && !exclusive(d);
}
bool views(p d) {
  return only_places(d) && !offers(d);
}
bool disciplined(p d) {
  return d.has("scheduler.discipline");
}
bool multifactor(p d) {
  return d.is("scheduler.order", start_order::multifactor);
}
bool no_groups(p d) {
  return !d.has("groups");
}
bool pooled(p d) {
  return d.has("pool") || d.is("architecture", architecture_kind::monolithic);
}
bool classes(p d) {
  return d.has("cluster.classes");
}
bool traced(p d) {
  return d.has("cluster.trace.file");
}
bool not_traced(p d) {
  return !traced(d);
}
bool described(p d) {
  return classes(d) || traced(d);
}
bool no_classes(p d) {
  return !described(d);
}
bool bursts(p d) {
  return d.is("workload.kind", workload_kind::burst);
}
bool late_binding(p d) {
  return probes(d) && (!d.has("sparrow.probing") || d.is("sparrow.probing", probing::late_binding));
}
bool may_spread(p d) {
  return !probes(d) || late_binding(d);
}
bool tenants(p d) {
  return d.has("tenants");
}
bool task_classes(p d) {
  return d.has("task_classes");
}
bool adaptive_ratio(p d) {
  return probes(d) && d.has("sparrow.adaptive_ratio");
}
bool retries_late(p d) {
  return d.has("scheduler.retry.delay") && places(d);
}
bool retries_are_bounded(p d) {
  return d.has("scheduler.retry.max_delay") && places(d);
}

bool may_grow(p d) {
  return failing(d) && !traced(d) && !task_classes(d);
}

bool within_machines(p d, v value) {
  return as_number(value) <= d.number("cluster.machines", 1);
}
bool within_partitions(p d, v value) {
  return as_number(value) <= d.number("cluster.partitions", 1);
}
bool schedulers_fit(p d, v value) {
  if (hybrid(d) && as_number(value) < 2)
    return false;
  return !d.is("architecture", architecture_kind::fixed_shares) ||
         as_number(value) <= d.number("cluster.partitions", 1);
}
bool timeout_fits(p d, v value) {
  const auto heartbeat = d.seconds("failures.heartbeat", 0.5);
  const auto way = d.seconds("network.latency", 0) + d.seconds("network.jitter", 0) +
                   d.seconds("network.machine_latency", 0);
  return as_seconds(value) > 2 * heartbeat + 4 * way;
}
bool machine_timeout_fits(p d, v value) {
  return as_seconds(value) >= 2 * d.seconds("failures.timeout", 1.5);
}
bool lease_fits(p d, v value) {
  return as_seconds(value) == 0 || as_seconds(value) >= d.seconds("failures.timeout", 1.5);
}
bool max_delay_fits(p d, v value) {
  return as_seconds(value) >= d.seconds("scheduler.retry.delay", 0);
}
bool hold_timeout_fits(p d, v value) {
  return as_seconds(value) >= 2 * d.seconds("scheduler.commit_timeout", 1);
}

} // namespace troupe::swarm_conditions
