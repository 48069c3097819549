#include "report/json/json_number.hpp"

#include <charconv>
#include <cmath>

namespace troupe {

using json = nlohmann::ordered_json;

json json_number(double x) {
  if (!std::isfinite(x))
    return nullptr;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::scientific, 8).ptr;
  double result = 0;
  std::from_chars(text, end, result);
  return result == 0 ? 0.0 : result; // no negative zero
}

json json_number_if(bool measured, double x) {
  return measured ? json_number(x) : json(nullptr);
}

json json_delay(const distribution& d) {
  const auto some = !d.empty();
  return {{"mean", json_number_if(some, d.mean())},
          {"p50", json_number_if(some, d.quantile(0.5))},
          {"p90", json_number_if(some, d.quantile(0.9))},
          {"p99", json_number_if(some, d.quantile(0.99))},
          {"max", json_number_if(some, d.max())}};
}

} // namespace troupe
