#pragma once

#include <caf/fwd.hpp>

#include <string>

namespace troupe {

/// Renders an error for the user: without the text that CAF adds around ours.
std::string error_text(const caf::actor_system& system, const caf::error& why);

} // namespace troupe
