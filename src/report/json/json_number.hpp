#pragma once

#include "model/base/distribution.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

/// Rounds to nine significant digits, which hides differences due to the order of additions.
/// Returns null if `x` is not finite.
nlohmann::ordered_json json_number(double x);

/// The same; null unless `measured`.
nlohmann::ordered_json json_number_if(bool measured, double x);

/// Mean, p50, p90, p99 and max; each null if `d` is empty.
nlohmann::ordered_json json_delay(const distribution& d);

} // namespace troupe
