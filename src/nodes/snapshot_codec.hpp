#pragma once

#include "model/protocol.hpp"
#include "nodes/address.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Snapshots on their way between nodes: what has changed since the one before.
namespace troupe {

/// The state of a partition, or how it differs from the one that was sent last.
struct partition_delta {
  partition_id partition = 0;
  instant taken_at{0};
  std::uint64_t version = 0;
  std::uint32_t number = 0; ///< counts those of a partition to one scheduler; 1: it is whole
  std::string free;         ///< as `encode_changes` writes them
  std::string versions;
  std::vector<held_band> held;
};

/// A `sync_update` with deltas in the place of its snapshots.
struct sync_delta {
  owner_id owner = 0;
  std::uint64_t round = 0;
  commit_id commits_seen = 0;
  std::vector<partition_delta> partitions;
  std::vector<resource_sum> used;
};

/// Writes how `now` differs from `before`: the new length, then for each value that differs how
/// many equal ones precede it and the difference, as variable-length integers. What `before` lacks
/// counts as 0.
std::string encode_changes(const std::vector<std::uint32_t>& before,
                           const std::vector<std::uint32_t>& now);

/// Returns `now` again. Throws `std::runtime_error` if `changes` is nothing that was written, or if
/// `now` would have more than `most` values, before it takes any memory for them.
std::vector<std::uint32_t> decode_changes(std::vector<std::uint32_t> before,
                                          const std::string& changes, std::size_t most);

/// How large the cluster's snapshots are: what comes from another node is held against that.
struct snapshot_sizes {
  std::uint32_t owners = 0;
  std::size_t columns = 0;             ///< kinds of resource: cells of each machine
  std::vector<std::uint32_t> machines; ///< by partition
};

/// What both sides of a line have to remember of the snapshots sent through it. One object for the
/// updates of one owner to one scheduler, at each end. Lines keep what is sent in order and lose
/// nothing while they are up; `forget` when one has been cut.
class snapshot_encoder {
public:
  /// After so many deltas a whole snapshot is sent again.
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
  /// Returns the update without the partitions of which the delta before is missing. Throws
  /// `std::runtime_error` if a partition is none of the cluster's, or of another size.
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
