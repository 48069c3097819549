#pragma once

#include "model/base/time.hpp"

namespace troupe {

/// Renders `at`, which is not negative, in seconds, exactly and for people: "3.214817233 s", "5 s".
std::string clock_text(instant at);

} // namespace troupe
