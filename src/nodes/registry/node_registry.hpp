#pragma once

#include "nodes/registry/machine_places.hpp"
#include "nodes/routing/node_messages.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace troupe {

/// The master's registry of nodes: the nodes that have joined, the numbers of their machines, and
/// which nodes are connected. It is not an actor.
///
/// In a cluster that grows (`let_grow`) each node with the role machine is one machine, which takes
/// one of the `machine_places`. Such nodes may join and leave at any time.
///
/// A master that is started again learns from the first node that comes back, or from its own file,
/// which nodes there are. The numbers of those that have not come back yet are kept for them.
class node_registry {
public:
  using clock = std::chrono::steady_clock;

  /// `machines` is the number of machines that the cluster is to have. There are no owners if
  /// schedulers probe the machines. `master` is the incarnation of the master: each gives new nodes
  /// numbers from a range of its own, since it may not know the last nodes that joined the one
  /// before.
  explicit node_registry(std::uint32_t machines, bool has_owners = true, incarnation_id master = 1);

  /// Makes it the registry of a cluster that grows, whose machines have at most `greatest`. A
  /// machine that has been gone for `patience` has left. To be called first.
  void let_grow(machine_places places, const resources& greatest, clock::duration patience);

  bool grows() const { return places_.has_value(); }

  /// Accepts a node, or accepts it again after an absence. A returning node keeps its number and
  /// those of its machines; its statements about a cluster whose master was restarted are believed.
  /// A node that is one machine, and joins after the cluster has begun, must equal the machine that
  /// it replaces. Returns its entry, or why it is refused.
  std::variant<const node_entry*, node_refusal> join(const node_identity& who,
                                                     clock::time_point now = clock::now());

  /// Returns, once, the names of the nodes whose numbers have changed, because they had joined
  /// before the master learned that other nodes have these numbers. A node that is no longer in the
  /// list has found no room.
  std::vector<std::string> take_renumbered() { return std::exchange(renumbered_, {}); }

  /// Records that the connection to that incarnation of a node is cut.
  void lost(const std::string& name, std::uint64_t boot, clock::time_point now = clock::now());

  /// Removes a node that has left permanently: its numbers are free again.
  void left(const std::string& name, clock::time_point now = clock::now());

  /// In a cluster that grows: removes the nodes that are only machines and have been gone for too
  /// long. To be called often. Returns whether the list has changed.
  bool settle(clock::time_point now);

  /// In a cluster that grows: has the machine of a node move to another place, so that partitions
  /// have as much as each other, if that helps. `may_move` says whether the machine of an entry is
  /// idle. Returns whether the list has changed.
  bool level_machines(const std::function<bool(const node_entry&)>& may_move,
                      clock::time_point now = clock::now());

  /// The machine of a node that was to move is idle: gives it another place.
  void moved(const std::string& name, clock::time_point now = clock::now());

  /// Marks a node for draining. Returns why it cannot be drained, or nothing. The nodes of the
  /// master and of the workload cannot be drained, since these do not move; but the node of the
  /// workload may request it itself when it ends. In a cluster that grows, a node that is only a
  /// machine and gone is removed at once.
  std::string drain(const std::string& name, bool by_itself = false);

  /// Adds orders of clients for the policies of schedulers; see `merge_orders`. Returns whether the
  /// list has changed.
  bool order_policies(std::span<const policy_order> orders);

  /// Adds orders that a store has kept, with times in ns since 1970, as soon as it is known when
  /// the cluster began.
  void remember_orders(std::vector<policy_order> by_utc);

  /// Sets the conditions that are missing for the cluster to begin. Returns whether they have
  /// changed.
  bool note_missing(const std::string& what);

  const node_entry* find(const std::string& name) const;
  const node_entry* find(std::uint32_t index) const;

  /// The number of machines that are missing.
  std::uint32_t machines_missing() const;

  /// The conditions that are missing for a working cluster: "3,000 of 10,000 machines are missing".
  /// Empty if there are none.
  std::string missing() const;

  const node_list& list() const { return list_; }

  /// Sets the beginning of the cluster's time, past or future; from now on its machines are fixed.
  void begin(std::int64_t origin);

private:
  node_entry* find_entry(const std::string& name);
  bool is_free(const machine_numbers& wanted, const node_entry* but) const;

  /// How many machines in a row are free for a node at most.
  std::uint32_t longest_free(const node_entry& entry) const;
  const described_machine* description_of(machine_id number) const;
  std::string misfit(machine_id number, const node_identity& who) const;
  std::optional<node_refusal> number_machines(node_entry& entry, const machine_numbers& known);
  void remember_nodes(const node_identity& who, clock::time_point now);
  void renumber_machines();
  void await_no_longer(clock::time_point now);
  bool is_awaited(std::uint32_t index, const std::string& but) const;
  std::string awaited_names(const std::string& but) const;
  std::uint32_t index_for(const node_identity& who);
  machine_numbers known_machines(const node_identity& who) const;
  std::optional<node_refusal> place_machine(node_entry& entry, const machine_numbers& known,
                                            clock::time_point now);
  void add_remembered();
  void changed();

  std::uint32_t machines_;
  bool has_owners_;
  std::optional<machine_places> places_; ///< in a cluster that grows
  resources greatest_;                   ///< that one of its machines may have
  clock::duration patience_{};           ///< with machines that are gone
  std::map<std::string, clock::time_point> gone_since_;
  std::uint32_t last_index_;
  std::map<std::string, known_node> awaited_; ///< of the cluster, and not here yet
  clock::time_point awaited_until_{};         ///< their machines
  std::vector<std::string> renumbered_;
  std::vector<policy_order> remembered_; ///< until the cluster has begun
  node_list list_;
};

} // namespace troupe
