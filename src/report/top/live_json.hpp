#pragma once

#include "model/live/live_state.hpp"

#include <nlohmann/json_fwd.hpp>

namespace troupe {

/// Returns the state of a run at the last sample, without its time series, as JSON: docs/json.md
/// describes it under `top`.
nlohmann::ordered_json live_json(const live_state& state);

} // namespace troupe
