#pragma once

#include "model/live/live_state.hpp"

#include <string>

namespace troupe {

/// What HTTP says of the text: its media type.
inline constexpr const char* metrics_media_type = "text/plain; version=0.0.4; charset=utf-8";

/// Returns all metrics of a run or a cluster in the text format of Prometheus, as of the last
/// sample, and those of this process as of now. A metric without any value is left out.
std::string metrics_text(const live_state& state);

} // namespace troupe
