#pragma once

#include "runtime/network.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>

#include <memory>
#include <string>

namespace troupe {

/// Returns an actor that stands for `target` at the end of the network named `from`; `target` is
/// at the end named `to`. Whatever is sent to it reaches `target` when `net` says so, or never.
///
/// Neither side can tell it from a plain handle. The receiver sees, as the sender, an actor that
/// stands for the real one on its side, so that replies and errors travel back through `net`. When
/// `target` ends, those who monitor this actor or are linked to it hear of it after everything
/// that `target` sent before; that news is not lost, but waits for a cut to heal. A request that
/// is lost fails when its timeout passes.
///
/// Works on the virtual clock and on CAF's own, where `net` has to be made for several threads. An
/// actor that holds the result and sends through it stays alive until it quits.
caf::strong_actor_ptr make_link(caf::actor_system& system, caf::strong_actor_ptr target,
                                std::shared_ptr<network> net, std::string from, std::string to);

/// Does the same for a typed or untyped handle.
template <class Handle>
Handle over_network(caf::actor_system& system, const Handle& target, std::shared_ptr<network> net,
                    std::string from, std::string to) {
  return caf::actor_cast<Handle>(make_link(system, caf::actor_cast<caf::strong_actor_ptr>(target),
                                           std::move(net), std::move(from), std::move(to)));
}

} // namespace troupe
