#pragma once

#include "model/ids.hpp"
#include "model/machine_range.hpp"
#include "model/resources.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// What never changes about a machine while it is a member.
struct machine_info {
  resources capacity;
  double score = 1;       ///< how good its slots are; positive, higher is better
  std::uint32_t kind = 0; ///< index of its machine class
};

/// Machines that are alike but for their scores.
struct machine_kind {
  std::string name;
  std::map<std::string, std::string> attributes;
};

/// Where a machine stands: the partition, and its place among that partition's machines.
struct machine_place {
  partition_id partition = 0;
  std::uint32_t index = 0;
};

/// All machines of a cluster and their division into partitions: what every actor of a process
/// shares and nobody changes.
///
/// The division is balanced: each partition gets the same mix of kinds and of scores. Machines are
/// sorted by kind and score and dealt to the partitions in rows that change direction, so that the
/// sizes differ by one at most. Within a partition machines stand in falling order of score.
/// Machines are numbered in that order, one partition after the other.
class catalog {
public:
  /// Throws `std::invalid_argument` if there are fewer machines than partitions, no partition, a
  /// score that is not positive and finite, or a `unit` that asks for nothing.
  catalog(std::vector<machine_info> machines, std::vector<machine_kind> kinds,
          std::uint32_t partitions, const resources& unit);

  std::uint32_t machines() const { return static_cast<std::uint32_t>(machines_.size()); }
  std::uint32_t partitions() const { return static_cast<std::uint32_t>(weights_.size()); }
  const machine_info& machine(machine_id m) const { return machines_[m]; }
  const machine_kind& kind_of(machine_id m) const { return kinds_[machines_[m].kind]; }
  const machine_kind& kind(std::uint32_t k) const { return kinds_[k]; }
  machine_place place_of(machine_id m) const {
    const auto p = partition_of_[m];
    return {p, m - first_[p]};
  }

  double score(machine_id m) const { return scores_[m]; }

  /// The machines of a partition, best score first.
  machine_range members(partition_id p) const { return {first_[p], first_[p + 1]}; }

  /// Their scores as whole numbers, relative to the best of the cluster: sums of these are exact.
  std::span<const std::uint32_t> weights(partition_id p) const { return weights_[p]; }

  /// A score of 1 as a weight, to turn sums of weights back into scores.
  double weight_of_one() const { return weight_of_one_; }

  /// The kinds of resource that any machine has.
  std::span<const resource> columns() const { return columns_; }

  /// What counts as one place when machines are sampled.
  const resources& unit() const { return unit_; }

  /// The sum over all machines of `unit`s that fit on an idle one.
  std::uint64_t units() const { return units_; }

private:
  std::vector<machine_info> machines_;
  std::vector<machine_kind> kinds_;
  std::vector<double> scores_; ///< once more, close together: they are asked for once per task
  std::vector<partition_id> partition_of_;
  std::vector<machine_id> first_; ///< of each partition, and behind the last one
  std::vector<std::vector<std::uint32_t>> weights_;
  std::vector<resource> columns_;
  resources unit_;
  double weight_of_one_ = 1;
  std::uint64_t units_ = 0;
};

} // namespace troupe
