#pragma once

#include "nodes/routing/address.hpp"
#include "nodes/routing/envelope.hpp"
#include "nodes/routing/snapshot_codec.hpp"

#include <caf/actor.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/fwd.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace troupe {

/// This node's number for another node.
using peer_id = std::uint32_t;

/// Counters of a message router since the start.
struct router_counts {
  std::uint64_t envelopes_sent = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t sync_bytes = 0; ///< of these: snapshots
  std::uint64_t envelopes_received = 0;
  std::uint64_t dropped = 0; ///< the receiver was unknown, or the connection was cut or too slow
};

/// Carries messages between the members on this node and those on others.
///
/// A member reaches another one by a handle. For a member on this node that is the actor's own
/// handle; otherwise it is a proxy, which serializes messages into the outbox of the node on which
/// the member lives now. Outboxes are sent about every millisecond, so a batch holds many messages.
/// Messages that cannot be delivered are dropped, as in a network. Of snapshots only the changes
/// are sent.
///
/// May be used by any thread.
class message_router : public std::enable_shared_from_this<message_router> {
public:
  /// A larger outbox is dropped: its node has received nothing for seconds.
  static constexpr std::size_t outbox_limit = std::size_t{64} << 20;

  explicit message_router(caf::actor_system& system) : system_(system) {}

  /// Called when an outbox gets its first message, from any thread; to be set before the first
  /// message.
  std::function<void(peer_id)> on_mail;

  // -- locations of members -------------------------------------------------------------------

  /// From now on a member lives on this node, until its actor ends or `leave`.
  void settle(const address& who, caf::strong_actor_ptr handle);
  void leave(const address& who);

  /// Returns the members that live here, except machines.
  std::vector<member_entry> residents() const;

  /// Returns the number of the node with that name.
  peer_id peer(const std::string& name);

  /// Sets the members that live on a node, except machines.
  void learn(peer_id where, const std::vector<member_entry>& members);

  /// Sets the node on which machines from `first` on live, except those that live here.
  void learn_machines(peer_id where, machine_id first, std::uint32_t count);

  /// Sets the sizes that snapshots must have. Before, no snapshots are accepted.
  void expect(snapshot_sizes sizes);

  /// Recorders and standbys whose messages arrive are remembered, too, until the connection is
  /// cut. Messages for a node without a connection are dropped.
  void connect(peer_id where);
  void disconnect(peer_id where);

  /// Counts the changes of the nodes on which machines live.
  std::uint64_t machine_moves() const { return machine_moves_; }

  /// Returns whether the node of a member is known.
  bool knows(const address& who) const;

  /// Returns the latest known incarnation of a member that is not a machine; 0 if there is none.
  incarnation_id incarnation_of(const address& who) const;

  /// Returns the name of the node on which a member lives; empty: on this one. Null: not known.
  std::optional<std::string> node_of(const address& who) const;

  // -- mail -----------------------------------------------------------------------------------

  /// Returns a handle for `from` that leads to `to`, or null if the node of `to` is unknown.
  caf::strong_actor_ptr find(const address& from, const address& to);

  /// Writes a message to the outbox of the node on which `to` lives.
  void send(const address& to, const address& from, std::uint64_t id,
            const caf::type_erased_tuple& content);

  /// Removes and returns the content of a node's outbox.
  std::string take(peer_id where);

  /// Delivers the messages of a batch from a node, on the thread of `host` if there is one. Throws
  /// `std::runtime_error` if the batch is malformed.
  void receive(peer_id from, const std::string& bytes, caf::execution_unit* host = nullptr);

  router_counts counts() const;

  caf::actor_system& system() { return system_; }

  /// The number of streams of snapshots with state, in both directions.
  std::size_t snapshot_streams() const;

  /// The number of handles that are kept for members on other nodes.
  std::size_t stand_ins() const;

private:
  /// The decoder for the latest incarnation of an owner.
  struct owner_snapshots {
    incarnation_id incarnation = 0;
    snapshot_decoder decoder;
  };

  struct outbox {
    std::string name;
    std::mutex mutex;
    std::string bytes;
    std::string urgent; ///< envelopes that are sent before these
    bool connected = false;
    std::map<std::pair<address, address>, snapshot_encoder> encoders; ///< by receiver and sender
    std::map<std::pair<address, owner_id>, owner_snapshots> decoders; ///< by receiver
  };

  struct home {
    bool here = false;
    peer_id where = ~peer_id{0};  ///< the greatest: not known
    caf::strong_actor_ptr handle; ///< if it lives here
  };

  using key = std::pair<party, std::pair<role, std::uint32_t>>;

  static key key_of(const address& a) { return {a.kind, {a.what, a.number}}; }

  const home* locate(const address& who) const;
  sync_update decode(peer_id from, const envelope& p);
  caf::strong_actor_ptr stand_in(const address& from, const address& to);
  template <class Predicate>
  void drop_stand_ins(Predicate what);
  void drop_lost_stand_ins();

  caf::actor_system& system_;
  mutable std::shared_mutex mutex_; ///< guards the locations and the list of outboxes
  std::map<key, std::map<incarnation_id, home>> homes_;
  std::vector<home> machines_; ///< by number
  std::atomic<std::uint64_t> machine_moves_{0};
  std::map<std::string, peer_id> names_;
  std::vector<std::unique_ptr<outbox>> outboxes_;
  mutable std::mutex stand_ins_mutex_; ///< the last one to be locked
  std::map<std::pair<address, address>, caf::strong_actor_ptr> stand_ins_;
  snapshot_sizes sizes_;
  std::atomic<std::uint64_t> envelopes_sent_{0};
  std::atomic<std::uint64_t> bytes_sent_{0};
  std::atomic<std::uint64_t> envelopes_received_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<std::uint64_t> sync_bytes_{0};
};

} // namespace troupe
