#include "model/base/time.hpp"

namespace troupe {

std::string to_string(duration d) {
  struct unit {
    std::int64_t nanos;
    const char* name;
  };
  static constexpr unit units[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}};
  for (const auto& u : units)
    if (d.count() % u.nanos == 0)
      return std::to_string(d.count() / u.nanos) + u.name;
  return std::to_string(d.count()) + "ns";
}

} // namespace troupe
