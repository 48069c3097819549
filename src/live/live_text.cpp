#include "live/live_text.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace troupe {

std::string live_number(double x) {
  return std::isfinite(x) ? fmt::format("{:.5g}", x) : "null";
}

std::string live_quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace troupe
