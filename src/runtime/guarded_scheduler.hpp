#pragma once

#include "actors/handles.hpp"
#include "actors/scheduler_guard.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/fwd.hpp>

#include <memory>

namespace troupe {

/// Returns a proxy for `scheduler`, which a plugin has spawned: it shows each message to `guard`
/// and forwards it to the scheduler at once. It ends when the scheduler does; `guard` is notified
/// unless the scheduler was told to quit.
scheduler_actor guard_scheduler(caf::actor_system& system, const scheduler_actor& scheduler,
                                std::shared_ptr<scheduler_guard> guard);

/// Returns an actor that stands for an owner towards that scheduler: only what `guard` admits
/// passes.
caf::strong_actor_ptr guard_owner(caf::actor_system& system, caf::strong_actor_ptr owner,
                                  owner_id number, std::shared_ptr<scheduler_guard> guard);

} // namespace troupe
