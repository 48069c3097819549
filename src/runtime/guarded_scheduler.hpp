#pragma once

#include "actors/handles.hpp"
#include "actors/scheduler_guard.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/fwd.hpp>

#include <memory>

namespace troupe {

/// Returns an actor that stands for `scheduler`, which a plugin has spawned: whatever is sent to it
/// reaches the scheduler at once, after `guard` has seen it. It ends when the scheduler does;
/// unless that was told to quit, `guard` hears of it.
scheduler_actor guard_scheduler(caf::actor_system& system, const scheduler_actor& scheduler,
                                std::shared_ptr<scheduler_guard> guard);

/// Returns an actor that stands for an owner towards that scheduler: only what `guard` admits
/// passes.
caf::strong_actor_ptr guard_owner(caf::actor_system& system, caf::strong_actor_ptr owner,
                                  owner_id number, std::shared_ptr<scheduler_guard> guard);

} // namespace troupe
