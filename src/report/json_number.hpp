#pragma once

#include "model/distribution.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

/// Rounds to nine significant digits, which hides what differs only by the order of additions; null
/// if `x` is not finite.
nlohmann::ordered_json json_number(double x);

/// The same; null if nothing was measured.
nlohmann::ordered_json json_number_if(bool measured, double x);

/// Mean, p50, p90, p99 and max; each null while `d` is empty.
nlohmann::ordered_json json_delay(const distribution& d);

} // namespace troupe
