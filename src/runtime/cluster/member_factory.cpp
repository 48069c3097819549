#include "runtime/cluster/member_factory.hpp"

#include "runtime/cluster/places.hpp"
#include "runtime/cluster/scheduler_plugins.hpp"

#include <caf/actor_system.hpp>

#include <stdexcept>

namespace troupe {

namespace {

template <class Handle>
caf::strong_actor_ptr to_pointer(const Handle& handle) {
  return caf::actor_cast<caf::strong_actor_ptr>(handle);
}

} // namespace

caf::strong_actor_ptr member_factory::spawn(const member_start& start) const {
  switch (start.as.what) {
  case role::owner:
    return spawn_owner(start);
  case role::scheduler:
    return spawn_scheduler(start);
  case role::allocator:
    return to_pointer(system_.spawn(allocator, allocator_config_of(settings_, parts_, start)));
  case role::master:
    return to_pointer(system_.spawn(master, master_config_of(settings_, parts_, start)));
  default:
    throw std::logic_error("this factory spawns no " + to_string(start.as.what));
  }
}

caf::strong_actor_ptr member_factory::spawn_owner(const member_start& start) const {
  auto config = owner_config_of(settings_, parts_, start);
  if (!start.failover)
    config.handles = machines_.launching;
  return to_pointer(system_.spawn(owner, std::move(config)));
}

caf::strong_actor_ptr member_factory::spawn_scheduler(const member_start& start) const {
  if (const auto* plugin = scheduler_plugin_of(settings_, start.as.number))
    return spawn_from_plugin(system_, *plugin, settings_, parts_, start,
                             machines_.queueing_of(start.as.number));
  if (!probes(settings_, start.as.number))
    return to_pointer(system_.spawn(scheduler, scheduler_config_of(settings_, parts_, start)));
  auto config = sparrow_config_of(settings_, parts_, start);
  if (!start.failover)
    config.handles = machines_.queueing_of(start.as.number);
  return to_pointer(system_.spawn(sparrow_scheduler, std::move(config)));
}

caf::strong_actor_ptr member_factory::spawn_workload(const member_start& start,
                                                     std::shared_ptr<job_source> source) const {
  return to_pointer(
    system_.spawn(workload, workload_config_of(settings_, parts_, start, std::move(source))));
}

} // namespace troupe
