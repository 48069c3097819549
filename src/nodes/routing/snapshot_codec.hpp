#pragma once

#include "model/protocol/protocol.hpp"
#include "nodes/routing/address.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Encodes snapshots between nodes as changes since the previous one.
namespace troupe {

/// The state of a partition, or its difference from the last one that was sent.
struct partition_delta {
  partition_id partition = 0;
  instant taken_at{0};
  std::uint64_t version = 0;
  std::uint32_t number =
    0;              ///< counts the deltas of a partition to one scheduler; 1: the whole state
  std::string free; ///< in the format of `encode_changes`
  std::string versions;
  std::vector<held_band> held;
};

/// A `sync_update` with deltas instead of its snapshots.
struct sync_delta {
  owner_id owner = 0;
  std::uint64_t round = 0;
  commit_id commits_seen = 0;
  std::vector<partition_delta> partitions;
  std::vector<resource_sum> used;
};

/// Encodes the difference between `now` and `before`: the new length, then for each value that
/// differs the number of equal ones before it and the difference, as variable-length integers.
/// Values missing in `before` count as 0.
std::string encode_changes(const std::vector<std::uint32_t>& before,
                           const std::vector<std::uint32_t>& now);

/// Returns `now`. Throws `std::runtime_error` if `changes` is malformed, or if `now` would have
/// more than `most` values, before it allocates any memory for them.
std::vector<std::uint32_t> decode_changes(std::vector<std::uint32_t> before,
                                          const std::string& changes, std::size_t most);

/// The sizes of the cluster's snapshots, against which those from other nodes are checked.
struct snapshot_sizes {
  std::uint32_t owners = 0;
  std::size_t columns = 0;             ///< kinds of resource: cells of each machine
  std::vector<std::uint32_t> machines; ///< by partition
};

/// The state of both ends of a connection about the snapshots sent over it. Each end has one object
/// for the updates of one owner to one scheduler. A connection keeps messages in order and loses
/// none while it is up; `forget` when it was cut.
class snapshot_encoder {
public:
  /// After this number of deltas a whole snapshot is sent again.
  static constexpr std::uint32_t refresh_every = 256;

  sync_delta encode(const sync_update& update);
  void forget() { sent_.clear(); }

private:
  struct memory {
    std::uint32_t number = 0;
    std::vector<std::uint32_t> free;
    std::vector<std::uint32_t> versions;
  };

  std::map<partition_id, memory> sent_;
};

class snapshot_decoder {
public:
  /// Returns the update without the partitions whose previous delta is missing. Throws
  /// `std::runtime_error` if a partition does not belong to the cluster, or has another size.
  sync_update decode(const sync_delta& delta, const snapshot_sizes& sizes);

private:
  struct memory {
    std::uint32_t number = 0;
    std::vector<std::uint32_t> free;
    std::vector<std::uint32_t> versions;
  };

  std::map<partition_id, memory> seen_;
};

} // namespace troupe
