#include "model/base/clock_text.hpp"

namespace troupe {

std::string clock_text(instant at) {
  constexpr std::int64_t nanos = 1'000'000'000;
  auto digits = std::to_string(at.count() % nanos);
  digits.insert(0, 9 - digits.size(), '0');
  digits.erase(digits.find_last_not_of('0') + 1);
  return std::to_string(at.count() / nanos) + (digits.empty() ? "" : "." + digits) + " s";
}

} // namespace troupe
