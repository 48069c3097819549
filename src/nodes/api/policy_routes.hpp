#pragma once

#include "web/route_table.hpp"

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

#include <functional>

namespace troupe {

/// Adds the API of policies to a server: docs/openapi.json. `way`, the node's gateway, passes the
/// questions on to the node with the master. `may_change`: the server demands a token or a
/// certificate; to others policies are only shown, as the protocol of nodes would refuse them.
void mount_policies(route_table& routes, caf::actor_system& system, const caf::actor& way,
                    bool may_change);

/// Adds the same paths to a server that cannot ask a master: all have the same answer, with the
/// reason.
void mount_without_policies(route_table& routes, const std::function<web_response()>& answer);

} // namespace troupe
