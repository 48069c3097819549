#pragma once

#include "model/live/live_sample.hpp"
#include "model/live/live_state.hpp"

namespace troupe {

/// Makes the state of a run that has not begun: its members wait.
live_state live_state_of(live_about about);

/// Brings the state up to date with a sample.
void add_sample(live_state& state, const live_sample& sample);

} // namespace troupe
