#pragma once

#include "nodes/agent/hosted/node_context.hpp"

#include <caf/actor_control_block.hpp>

#include <functional>
#include <map>
#include <vector>

namespace troupe {

/// The actors of members and standbys that live on a node, except machines. Others find them by the
/// message router as long as they are here.
class resident_actors {
public:
  explicit resident_actors(const node_context& node) : node_(node) {}

  void put(const address& who, caf::strong_actor_ptr handle);

  /// The actor has ended, or is about to.
  void remove(const address& who);

  /// Ends all actors of this kind. Returns their addresses.
  std::vector<address> end(party kind, const std::function<bool(role)>& which);

  /// Returns the members here; with a role, those of it.
  std::vector<member_entry> members() const;
  std::vector<member_entry> members(role what) const;

  /// Returns the number of members and standbys of a role.
  std::uint32_t count(role what) const;

  const std::map<address, caf::strong_actor_ptr>& all() const { return living_; }

private:
  const node_context& node_;
  std::map<address, caf::strong_actor_ptr> living_;
};

} // namespace troupe
