#pragma once

#include "actors/common/run_clock.hpp"
#include "actors/plugin/plugin_listener.hpp"
#include "actors/plugin/scheduler_check.hpp"
#include "actors/protocol/handles.hpp"

#include <caf/fwd.hpp>

#include <memory>
#include <vector>

namespace troupe {

/// Returns a proxy for `scheduler`, which a plugin has spawned: it shows each message to `check`
/// and forwards it to the scheduler at once. Instead of the owners that `peers` names, the
/// scheduler reaches proxies of them: only messages that `check` admits pass. The proxy ends when
/// the scheduler does; `check` is notified unless the scheduler was told to quit. `listener`,
/// unless null, receives the messages that pass.
scheduler_actor check_scheduler(caf::actor_system& system, const scheduler_actor& scheduler,
                                std::shared_ptr<scheduler_check> check,
                                std::shared_ptr<plugin_listener> listener, run_clock clock);

/// Returns proxies of the queues of machines, by number. They show `listener` the messages of a
/// scheduler to the queues, and forward them at once.
std::shared_ptr<const std::vector<queueing_machine_actor>>
listen_to_queues(caf::actor_system& system, const std::vector<queueing_machine_actor>& queues,
                 const std::shared_ptr<plugin_listener>& listener, run_clock clock);

/// Returns the listener of a scheduler that `check_scheduler` has made, or null.
std::shared_ptr<plugin_listener> listener_of(const caf::strong_actor_ptr& scheduler);

} // namespace troupe
