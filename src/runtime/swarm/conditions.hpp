#pragma once

#include "runtime/swarm/rows.hpp"

/// The conditions in the rows of a swarm. Their names are common elsewhere.
namespace troupe::swarm_conditions {

using p = const swarm_picks&;
using v = std::string_view;

inline constexpr auto always = swarm_row::how::always;
inline constexpr auto feature = swarm_row::how::feature;
inline constexpr auto by_group = swarm_row::how::by_group;

// Whether a setting applies to a draw.
bool failing(p);
bool calm(p);
bool virtual_time(p);
bool real(p);
bool probes(p);
bool fails_probing(p);
bool hybrid(p);
bool places(p);
bool only_places(p);
bool offers(p);
bool exclusive(p);
bool shared(p);
bool views(p);
bool disciplined(p);
bool multifactor(p);
bool no_groups(p);
bool pooled(p);
bool classes(p);
bool traced(p);
bool not_traced(p);
bool described(p);
bool no_classes(p);
bool bursts(p);
bool late_binding(p);
bool may_spread(p);
bool tenants(p);
bool task_classes(p);
bool adaptive_ratio(p);
bool retries_late(p);
bool retries_are_bounded(p);
bool may_grow(p);

// Whether a draw may choose a value.
bool within_machines(p, v value);
bool within_partitions(p, v value);
bool schedulers_fit(p, v value);
bool timeout_fits(p, v value);
bool machine_timeout_fits(p, v value);
bool lease_fits(p, v value);
bool max_delay_fits(p, v value);
bool hold_timeout_fits(p, v value);

} // namespace troupe::swarm_conditions
