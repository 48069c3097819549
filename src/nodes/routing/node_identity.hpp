#pragma once

#include "actors/protocol/messages.hpp"
#include "model/cluster/machine_description.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "nodes/routing/policy_messages.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

/// What a node says of itself, in messages between nodes.
namespace troupe {

/// The roles of a node, with its capacity for each.
struct node_roles {
  bool master = false;
  bool workload = false;
  std::uint32_t owners = 0;     ///< greatest number of partition owners
  std::uint32_t schedulers = 0; ///< likewise
  std::uint32_t machines = 0;   ///< number of machines
  bool api = false;             ///< serves the live page and its API
};

/// Returns the names of roles: "master", "owner", "scheduler", "machine", "workload", "api".
inline std::set<std::string> names_of(const node_roles& roles) {
  std::set<std::string> names;
  const auto add = [&](bool has, const char* name) {
    if (has)
      names.emplace(name);
  };
  add(roles.master, "master");
  add(roles.workload, "workload");
  add(roles.owners > 0, "owner");
  add(roles.schedulers > 0, "scheduler");
  add(roles.machines > 0, "machine");
  add(roles.api, "api");
  return names;
}

/// Machines with numbers from `first` on.
struct machine_numbers {
  machine_id first = 0;
  std::uint32_t count = 0;

  bool has(machine_id m) const { return m >= first && m - first < count; }

  friend bool operator==(const machine_numbers&, const machine_numbers&) = default;
};

/// What all nodes know of one of them, in case the master is started again.
struct known_node {
  std::string name;
  std::uint32_t index = 0;
  machine_numbers machines;
};

/// The identity of a node.
struct node_identity {
  std::string name;
  std::string host; ///< address at which others reach it
  std::uint16_t port = 0;
  std::uint64_t boot = 0; ///< different for each start of the process
  std::int64_t pid = 0;
  node_roles roles;
  bool observes = false; ///< a client that observes, not a node
  /// The host as a machine; without capacity: the node emulates its machines.
  machine_description machine;
  // Its knowledge of a cluster whose master was restarted.
  std::uint32_t index = 0;
  machine_numbers machines;
  /// The origin of the cluster in which an earlier process of the node had `machines`; 0: this
  /// process has them.
  std::int64_t machines_origin = 0;
  std::int64_t origin = 0;
  /// On the node with the master: the number of its time as such, by the lease in the database of
  /// the jobs; 0: there is none.
  incarnation_id term = 0;
  std::vector<described_machine> described;
  bool draining = false;
  std::vector<policy_order> policies; ///< likewise
  std::vector<known_node> known;      ///< all nodes of the cluster, likewise

  bool is_machine() const { return !machine.capacity.is_zero(); }
};

template <class I>
typename I::result_type inspect(I& f, node_roles& x) {
  return inspect_fields(f, "node_roles", x.master, x.workload, x.owners, x.schedulers, x.machines,
                        x.api);
}

template <class I>
typename I::result_type inspect(I& f, machine_numbers& x) {
  return inspect_fields(f, "machine_numbers", x.first, x.count);
}

template <class I>
typename I::result_type inspect(I& f, machine_description& x) {
  return inspect_fields(f, "machine_description", x.capacity, x.attributes);
}

template <class I>
typename I::result_type inspect(I& f, described_machine& x) {
  return inspect_fields(f, "described_machine", x.number, x.is, x.vacant);
}

template <class I>
typename I::result_type inspect(I& f, known_node& x) {
  return inspect_fields(f, "known_node", x.name, x.index, x.machines);
}

template <class I>
typename I::result_type inspect(I& f, node_identity& x) {
  return inspect_fields(f, "node_identity", x.name, x.host, x.port, x.boot, x.pid, x.roles,
                        x.observes, x.machine, x.index, x.machines, x.machines_origin, x.origin,
                        x.term, x.described, x.draining, x.policies, x.known);
}

} // namespace troupe
