#pragma once

#include "nodes/address.hpp"
#include "nodes/parcel.hpp"
#include "nodes/snapshot_codec.hpp"

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

/// Another node, as this one numbers them.
using peer_id = std::uint32_t;

/// What the post has carried since the start.
struct post_counts {
  std::uint64_t parcels_sent = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t sync_bytes = 0; ///< of these: snapshots
  std::uint64_t parcels_received = 0;
  std::uint64_t dropped = 0; ///< nobody was there, or the line was cut or too slow
};

/// Carries messages between the members on this node and those on others.
///
/// A member reaches another one by a handle. For a member on this node that is the actor's own
/// handle; otherwise it is a proxy, which serializes messages into the outgoing box of the node on
/// which the member lives now. Boxes are sent about every millisecond, so a parcel holds many
/// messages. What cannot be delivered is dropped, as in a network. Of snapshots only the changes
/// are sent.
///
/// May be used by any thread.
class post : public std::enable_shared_from_this<post> {
public:
  /// A box with more than this is dropped: the node has not emptied it for seconds.
  static constexpr std::size_t box_limit = std::size_t{64} << 20;

  explicit post(caf::actor_system& system) : system_(system) {}

  /// Called when a box that was empty is not any more, from any thread; to be set before the first
  /// message.
  std::function<void(peer_id)> on_mail;

  // -- who lives where ------------------------------------------------------------------------

  /// A member lives on this node from now on, until its actor ends or `leave`.
  void settle(const address& who, caf::strong_actor_ptr handle);
  void leave(const address& who);

  /// Returns the members that live here, machines left out.
  std::vector<roster_entry> residents() const;

  /// The number of a node with that name.
  peer_id peer(const std::string& name);

  /// Those are the members that live there, machines left out.
  void learn(peer_id where, const std::vector<roster_entry>& members);

  /// Machines from `first` on live there.
  void learn_machines(peer_id where, machine_id first, std::uint32_t count);

  /// Snapshots are taken if they are of these sizes; none are before.
  void expect(snapshot_sizes sizes);

  /// Recorders and candidates that are heard of are remembered, too. What is meant for a node
  /// without a line is dropped.
  void connect(peer_id where);
  void disconnect(peer_id where);

  /// Returns whether someone is known to live anywhere.
  bool knows(const address& who) const;

  /// The latest life of a member but a machine that is known to live anywhere; 0: there is none.
  incarnation life_of(const address& who) const;

  // -- mail -----------------------------------------------------------------------------------

  /// Returns a handle for `from` that leads to `to`, or null if nobody knows where that lives.
  caf::strong_actor_ptr find(const address& from, const address& to);

  /// Writes a message into the box of the node where `to` lives.
  void send(const address& to, const address& from, std::uint64_t id,
            const caf::type_erased_tuple& content);

  /// Empties the box of a node.
  std::string take(peer_id where);

  /// Delivers what has come from there. Throws `std::runtime_error` if it is nonsense.
  void receive(peer_id from, const std::string& bytes);

  post_counts counts() const;

  caf::actor_system& system() { return system_; }

  /// How many streams of snapshots are remembered, both ways.
  std::size_t snapshot_streams() const;

private:
  /// What has come from the latest life of an owner.
  struct owner_snapshots {
    incarnation life = 0;
    snapshot_decoder decoder;
  };

  struct box {
    std::string name;
    std::mutex mutex;
    std::string bytes;
    std::string urgent; ///< parcels that go before these
    bool connected = false;
    std::map<std::pair<address, address>, snapshot_encoder> encoders; ///< by receiver and sender
    std::map<std::pair<address, owner_id>, owner_snapshots> decoders; ///< by receiver
  };

  struct home {
    bool here = false;
    peer_id where = 0;
    caf::strong_actor_ptr handle; ///< if it is here
  };

  using key = std::pair<party, std::pair<role, std::uint32_t>>;

  static key key_of(const address& a) { return {a.kind, {a.what, a.number}}; }

  const home* locate(const address& who) const;
  sync_update decode(peer_id from, const parcel& p);
  caf::strong_actor_ptr stand_in(const address& from, const address& to);

  caf::actor_system& system_;
  mutable std::shared_mutex mutex_; ///< guards who lives where
  std::map<key, std::map<incarnation, home>> homes_;
  std::vector<home> machines_; ///< by number
  std::map<std::string, peer_id> names_;
  std::vector<std::unique_ptr<box>> boxes_;
  std::mutex stand_ins_mutex_;
  std::map<std::pair<address, address>, caf::strong_actor_ptr> stand_ins_;
  snapshot_sizes sizes_;
  std::atomic<std::uint64_t> parcels_sent_{0};
  std::atomic<std::uint64_t> bytes_sent_{0};
  std::atomic<std::uint64_t> parcels_received_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<std::uint64_t> sync_bytes_{0};
};

} // namespace troupe
