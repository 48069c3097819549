#pragma once

#include "actors/machine/executor.hpp"
#include "settings/schema/settings.hpp"

#include <memory>

namespace troupe {

/// Makes the executor of a node by the settings. They have one kind: emulated tasks. `one_thread`:
/// all calls will come from one thread.
std::shared_ptr<node_executor> make_executor(const run_settings& settings, bool one_thread);

} // namespace troupe
