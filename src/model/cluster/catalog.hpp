#pragma once

#include "model/base/ids.hpp"
#include "model/base/machine_range.hpp"
#include "model/base/resources.hpp"
#include "model/cluster/growing_machines.hpp"
#include "model/cluster/machine_description.hpp"
#include "model/cluster/machine_windows.hpp"
#include "model/jobs/task_class.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

struct idle_view;

/// The properties of a machine that never change while it is a member.
struct machine_info {
  resources capacity;
  double score = 1;       ///< quality of its slots; positive, higher is better
  std::uint32_t kind = 0; ///< index of its machine class
  std::uint32_t row = 0;  ///< its row in the table that it comes from, if any
};

/// Machines that are alike except for their scores.
struct machine_kind {
  std::string name;
  std::map<std::string, std::string> attributes;
};

/// The location of a machine: the partition, and its index among that partition's machines.
struct machine_place {
  partition_id partition = 0;
  std::uint32_t index = 0;
};

/// All machines of a cluster and their division into partitions. All actors of a process share one
/// catalog, which never changes.
///
/// The division is balanced: each partition gets the same mix of kinds and of scores. Machines are
/// sorted by kind and score and dealt to the partitions in rows that change direction, so the sizes
/// differ by one at most. Within a partition machines are sorted by falling score. Machines are
/// numbered in that order, one partition after the other.
///
/// Tasks may be of classes that prefer certain machines. Class 0 has no preferences: it uses the
/// machine's own score. Machines of a kind share their attributes, so a division that is balanced
/// by kind and score is balanced for every class.
///
/// In a cluster that grows, machines are places which hosts take and leave. A place's capacity is
/// the greatest that a host may have; at first it has none, and the machine reports its own. Each
/// place is a separate kind, with the attributes of `growth()`.
class catalog {
public:
  /// Throws `std::invalid_argument` if there are fewer machines than partitions, no partition, a
  /// score that is not positive and finite (for any class), a kind that does not exist, or a `unit`
  /// that asks for nothing. The first of `classes` is class 1. If `fragment` is zero, it is the
  /// unit. Described machines are numbered as if they had no description; then they get the
  /// described capacities and attributes. Throws as well if a described machine does not exist.
  catalog(std::vector<machine_info> machines, std::vector<machine_kind> kinds,
          std::uint32_t partitions, const resources& unit,
          const std::vector<task_class>& classes = {}, const resources& fragment = {},
          const std::vector<described_machine>& described = {});

  /// Makes the machines places of a cluster that grows. To be called first. There must be no
  /// classes of tasks, as the scores for them are evaluated once.
  void let_grow();

  bool grows() const { return growth_ != nullptr; }

  /// What is known of the places of a cluster that grows; else null.
  const std::shared_ptr<growing_machines>& growth() const { return growth_; }

  /// Says when machines take no tasks. To be called first.
  void set_windows(std::shared_ptr<const machine_windows> windows) {
    windows_ = std::move(windows);
  }

  /// When machines take no tasks, or null: there is no such time.
  const machine_windows* windows() const { return windows_.get(); }
  const std::shared_ptr<const machine_windows>& shared_windows() const { return windows_; }

  /// The windows of one machine.
  machine_hours hours_of(machine_id m) const { return {windows_, m}; }

  /// Returns whether machines of a kind meet all constraints; in a cluster that grows, now.
  bool meets(std::uint32_t kind, const std::vector<constraint>& all) const;

  std::uint32_t machines() const { return static_cast<std::uint32_t>(machines_.size()); }
  std::uint32_t partitions() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  const machine_info& machine(machine_id m) const { return machines_[m]; }
  /// What a machine has; in a cluster that grows, the machine that has the place now, as it said.
  resources present_capacity(machine_id m) const;
  const std::vector<machine_kind>& kinds() const { return kinds_; }
  const machine_kind& kind_of(machine_id m) const { return kinds_[machines_[m].kind]; }

  /// The attributes of a machine; in a cluster that grows, those of now.
  std::map<std::string, std::string> attributes_of(machine_id m) const;

  /// The different capacities of the machines of a kind.
  const std::vector<resources>& capacities_of_kind(std::uint32_t kind) const {
    return capacities_[kind];
  }

  /// The greatest amount of each resource in any machine.
  const resources& greatest_capacity() const { return greatest_capacity_; }

  /// The number of classes of tasks, class 0 included.
  std::uint32_t task_classes() const { return static_cast<std::uint32_t>(classes_.size()); }

  /// Takes a step or two over tables that stay in the processor's cache.
  machine_place place_of(machine_id m) const {
    auto p = partition_of_first_[m >> block_bits_];
    while (m >= first_[p + 1])
      ++p;
    return {p, m - first_[p]};
  }

  double score(machine_id m) const { return scores_[m]; }

  /// Loads the score of a machine that is about to be read.
  void prefetch_score(machine_id m) const { __builtin_prefetch(&scores_[m]); }

  /// A machine's score for the tasks of a class.
  double score(machine_id m, std::uint32_t task_class) const {
    return task_class == 0 ? scores_[m]
                           : scores_[m] * classes_[task_class].factors[machines_[m].kind];
  }

  /// The machines of a partition, best score first.
  machine_range members(partition_id p) const { return {first_[p], first_[p + 1]}; }

  /// The indexes, within the partition, of its machines of one kind, best score first.
  std::span<const std::uint32_t> members_of_kind(partition_id p, std::uint32_t kind) const {
    const auto i = p * kinds_.size() + kind;
    return {by_kind_.data() + first_of_kind_[i], by_kind_.data() + first_of_kind_[i + 1]};
  }

  /// The scores of a partition's machines for a class of tasks as whole numbers, relative to the
  /// best of the cluster. Sums of them are exact.
  std::span<const std::uint32_t> weights(partition_id p, std::uint32_t task_class = 0) const {
    return {classes_[task_class].weights.data() + first_[p],
            classes_[task_class].weights.data() + first_[p + 1]};
  }

  /// A score of 1 as a weight; converts sums of weights back into scores.
  double weight_of_one(std::uint32_t task_class = 0) const {
    return classes_[task_class].weight_of_one;
  }

  /// The kinds of resource that at least one machine has.
  std::span<const resource> columns() const { return columns_; }

  /// The capacities of a partition's machines, of the kind of resource `columns()[column]`.
  std::span<const std::int32_t> capacities(partition_id p, std::size_t column) const {
    const auto* const all = by_column_.data() + column * machines_.size();
    return {all + first_[p], all + first_[p + 1]};
  }

  /// The amount that counts as one place when machines are sampled.
  const resources& unit() const { return unit_; }

  /// Free resources of a machine that has no room for this amount count as stranded.
  const resources& fragment() const { return fragment_; }

  /// The sum over all machines of the `unit`s that fit on the idle machine.
  std::uint64_t units() const { return units_; }

  /// The cluster with every machine idle. It is made when it is first asked for: a view has one
  /// number or more of each machine, and a cluster may have hundreds of schedulers. Any thread may
  /// ask. It holds until the catalog is moved.
  const idle_view& idle() const;

private:
  /// A copy begins without a view, since that reads the catalog that it is of.
  struct idle_slot {
    idle_slot() = default;
    idle_slot(const idle_slot& /*other*/) {}
    idle_slot& operator=(const idle_slot& /*other*/) = delete;
    ~idle_slot() = default;

    std::once_flag once;
    std::shared_ptr<const idle_view> view;
  };

  struct scores_of_class {
    std::vector<double> factors;        ///< multipliers of the machines' own scores, by kind
    std::vector<std::uint32_t> weights; ///< by machine
    double weight_of_one = 1;
  };

  scores_of_class scores_for(const task_class& of) const;
  void describe(const std::vector<described_machine>& described);
  void sort_by_kind();
  void find_blocks();

  std::vector<machine_info> machines_;
  std::vector<machine_kind> kinds_;
  std::vector<std::int32_t> by_column_; ///< capacities, by column and machine
  std::vector<double> scores_;          ///< a copy, close together in memory: read once per task
  std::vector<machine_id> first_; ///< first machine of each partition, and the end of the last
  /// The partitions of the first machines of blocks, which are no longer than any partition.
  std::vector<partition_id> partition_of_first_;
  std::uint32_t block_bits_ = 0;                   ///< a block has 2 to the power of this machines
  std::vector<std::vector<resources>> capacities_; ///< by kind
  std::vector<scores_of_class> classes_;
  std::vector<std::uint32_t> by_kind_;     ///< indexes of machines, by partition and kind
  std::vector<std::size_t> first_of_kind_; ///< by partition and kind, and the end of the last
  std::vector<resource> columns_;
  resources unit_;
  resources fragment_;
  resources greatest_capacity_;
  std::uint64_t units_ = 0;
  std::shared_ptr<growing_machines> growth_;
  std::shared_ptr<const machine_windows> windows_;
  mutable idle_slot idle_;
};

} // namespace troupe
