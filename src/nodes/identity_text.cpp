#include "nodes/identity_text.hpp"

#include <caf/all.hpp>
#include <caf/serializer_impl.hpp>

namespace troupe {

std::string write_identity(caf::actor_system& system, const node_identity& who) {
  std::string body;
  caf::serializer_impl<std::string> sink{system, body};
  auto copy = who;
  if (sink(copy))
    return {};
  return body;
}

std::optional<node_identity> read_identity(caf::actor_system& system, const std::string& body) {
  node_identity who;
  caf::binary_deserializer source{system, body.data(), body.size()};
  if (source(who) || source.remaining() > 0)
    return std::nullopt;
  return who;
}

} // namespace troupe
