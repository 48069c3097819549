#pragma once

#include "runtime/network/network.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>
#include <caf/mailbox_element.hpp>

#include <memory>
#include <string>

namespace troupe {

/// Puts a message to one that arrives at the same instant by the same way, right before it. Returns
/// whether it has.
using message_joiner = bool (*)(caf::mailbox_element_ptr& first, const caf::mailbox_element& next);

/// Returns an actor that represents `target` at the end of the network named `from`; `target` is at
/// the end named `to`. Messages to it reach `target` after the delay that `net` determines, or
/// never.
///
/// Neither side can distinguish it from a plain handle. The receiver sees, as the sender, an actor
/// that represents the real one on its side, so replies and errors travel back through `net`. When
/// `target` ends, actors that monitor this actor or are linked to it are notified after all earlier
/// messages of `target`. That notification is never lost, but waits for the end of a cut. A lost
/// request fails when its timeout passes.
///
/// Works on the virtual clock and on CAF's own clock; for the latter, `net` must allow several
/// threads. An actor that holds the result and sends through it stays alive until it quits.
///
/// With `join`, messages that arrive at one instant may reach `target` as one, in virtual time.
caf::strong_actor_ptr make_link(caf::actor_system& system, caf::strong_actor_ptr target,
                                std::shared_ptr<network> net, const std::string& from,
                                const std::string& to, message_joiner join = nullptr);

/// Does the same for a typed or untyped handle.
template <class Handle>
Handle over_network(caf::actor_system& system, const Handle& target, std::shared_ptr<network> net,
                    const std::string& from, const std::string& to, message_joiner join = nullptr) {
  return caf::actor_cast<Handle>(make_link(system, caf::actor_cast<caf::strong_actor_ptr>(target),
                                           std::move(net), from, to, join));
}

} // namespace troupe
