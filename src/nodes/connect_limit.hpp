#pragma once

#include <chrono>

namespace troupe {

/// Has every connect(2) of this process on a blocking TCP socket fail with ETIMEDOUT after `limit`.
/// CAF's middleman connects in one thread, one after the other: where a network swallows what is
/// sent, one connection would hold up all others for the two minutes that Linux tries it, also when
/// the network has been healed.
void limit_connects(std::chrono::milliseconds limit);

} // namespace troupe
