#include "runtime/swarm/rows.hpp"
#include "settings/toml/duration_text.hpp"

namespace troupe {

bool swarm_picks::is(std::string_view key, std::string_view value) const {
  const auto found = values_.find(key);
  return found != values_.end() && found->second == value;
}

double swarm_picks::number(std::string_view key, double otherwise) const {
  const auto found = values_.find(key);
  return found == values_.end() ? otherwise : std::stod(found->second);
}

double swarm_picks::seconds(std::string_view key, double otherwise) const {
  const auto found = values_.find(key);
  return found == values_.end() ? otherwise : to_seconds(parse_duration(found->second));
}

} // namespace troupe
