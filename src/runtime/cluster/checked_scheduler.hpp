#pragma once

#include "actors/plugin/scheduler_check.hpp"
#include "actors/protocol/handles.hpp"

#include <caf/fwd.hpp>

#include <memory>

namespace troupe {

/// Returns a proxy for `scheduler`, which a plugin has spawned: it shows each message to `check`
/// and forwards it to the scheduler at once. Instead of the owners that `peers` names, the
/// scheduler reaches proxies of them: only what `check` admits passes. The proxy ends when the
/// scheduler does; `check` is notified unless the scheduler was told to quit.
scheduler_actor check_scheduler(caf::actor_system& system, const scheduler_actor& scheduler,
                                std::shared_ptr<scheduler_check> check);

} // namespace troupe
