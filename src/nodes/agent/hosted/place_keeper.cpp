#include "nodes/agent/hosted/place_keeper.hpp"

#include "nodes/agent/places_file.hpp"
#include "nodes/registry/identity_text.hpp"

namespace troupe {

void place_keeper::keep(const node_list& nodes, const machine_numbers& own) {
  const bool has_master = node_.who.roles.master;
  if (!has_master && own.count == 0)
    return;
  node_identity known;
  known.origin = nodes.origin;
  known.machines = own;
  if (has_master) {
    known.described = nodes.described;
    known.policies = nodes.policies;
    for (const auto& e : nodes.nodes)
      known.known.push_back({e.who.name, e.index, e.machines});
  }
  const auto bytes = write_identity(node_.system, known);
  if (bytes == kept_)
    return;
  if (write_places(node_.state, bytes))
    kept_ = bytes;
}

} // namespace troupe
