#include "nodes/registry/error_text.hpp"

#include <caf/all.hpp>

namespace troupe {

std::string error_text(const caf::actor_system& system, const caf::error& why) {
  const bool has_text = why == caf::sec::runtime_error || why == caf::sec::cannot_connect_to_node;
  if (has_text && why.context().size() == 1 && why.context().match_elements<std::string>())
    return why.context().get_as<std::string>(0);
  if (why == caf::sec::request_timeout)
    return "no answer has come in time";
  if (why == caf::sec::request_receiver_down)
    return "it has ended, or the connection is cut";
  return system.render(why);
}

} // namespace troupe
