#pragma once

#include "nodes/node_messages.hpp"

#include <string>
#include <variant>

namespace troupe {

/// The master's book of nodes: who has joined, which numbers the machines of each have, who is
/// there. Without an actor around it.
class node_register {
public:
  /// `machines` is how many the cluster is to have; there are no owners where schedulers probe
  /// them.
  explicit node_register(std::uint32_t machines, bool has_owners = true)
    : machines_(machines), has_owners_(has_owners) {}

  /// Takes a node in, or takes one back that was away. A node that comes back keeps its number and
  /// those of its machines; what it tells of a cluster whose master has been started again is
  /// believed. A node that is a machine itself, and comes once the cluster has begun, must be as
  /// the machine was in whose place it comes. Returns its entry, or why it is refused.
  std::variant<const node_entry*, node_refusal> join(const node_identity& who);

  /// The line to that start of a node is cut.
  void lost(const std::string& name, std::uint64_t boot);

  /// A node has left for good: its numbers are free again.
  void left(const std::string& name);

  /// A node is to be emptied. Returns why it cannot be, or nothing. That of the master and that of
  /// the workload cannot, as these do not move, but the latter may ask for it itself when it ends.
  std::string drain(const std::string& name, bool by_itself = false);

  /// What it takes for the cluster to begin. Returns whether that has changed.
  bool note_missing(const std::string& what);

  const node_entry* find(const std::string& name) const;
  const node_entry* find(std::uint32_t index) const;

  /// How many machines are missing that the cluster is to have.
  std::uint32_t machines_missing() const;

  /// What stands between the nodes that are there and a cluster that works: "3,000 of 10,000
  /// machines are missing". Empty: nothing.
  std::string missing() const;

  const node_list& list() const { return list_; }

  /// The cluster's time begins, or has begun, then; its machines are what they are now.
  void begin(std::int64_t origin);

private:
  node_entry* find_entry(const std::string& name);
  bool is_free(const machine_numbers& wanted, const node_entry* but) const;
  const described_machine* description_of(machine_id number) const;
  std::string misfit(machine_id number, const node_identity& who) const;
  std::string number_machines(node_entry& entry, const machine_numbers& known);
  void changed() { ++list_.version; }

  std::uint32_t machines_;
  bool has_owners_;
  std::uint32_t last_index_ = 0;
  node_list list_;
};

} // namespace troupe
