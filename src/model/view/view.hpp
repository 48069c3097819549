#pragma once

#include "model/base/highest_numbers.hpp"
#include "model/base/random.hpp"
#include "model/jobs/task_request.hpp"
#include "model/protocol/offers.hpp"
#include "model/protocol/protocol.hpp"
#include "model/view/freshness_order.hpp"
#include "model/view/view_partition.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace troupe {

/// A scheduler's own, possibly stale copy of the cluster's state. Placements are charged to it as
/// soon as they are decided, so a scheduler never conflicts with itself. It learns of changes by
/// others only from the next snapshot or from a rejection.
class view {
public:
  /// Starts with every machine idle, as known at `now`. `machines` must outlive the view.
  view(const catalog& machines, instant now);

  const catalog& machines() const { return *machines_; }
  std::uint32_t partitions() const { return static_cast<std::uint32_t>(parts_.size()); }

  /// Units believed free in a partition, and in all of them.
  std::uint64_t units(partition_id p) const { return units_[p]; }
  std::uint64_t units() const { return total_units_; }

  /// The sum of the weights of the units believed free in a partition, for a class of tasks.
  std::uint64_t weight(partition_id p, std::uint32_t task_class = 0) const {
    return weights_[task_class * units_.size() + p];
  }

  /// The mean score of the units believed free in a partition, for a class of tasks, as a weight;
  /// 0 if there are none.
  double mean_weight(partition_id p, std::uint32_t task_class = 0) const {
    return means_[task_class].numbers()[p];
  }

  /// The same of all partitions.
  std::span<const double> mean_weights(std::uint32_t task_class) const {
    return means_[task_class].numbers();
  }

  /// Returns the partition of the highest mean weight for a class of tasks, of equal ones the first
  /// at or, wrapping around, after `start`; `partitions()` if there is none with a free unit.
  partition_id best_partition(partition_id start, std::uint32_t task_class) const {
    return static_cast<partition_id>(means_[task_class].first_highest(start));
  }

  /// The state of a partition by machine, for callers that look at many.
  const view_partition& part(partition_id p) const { return parts_[p]; }

  /// Increases whenever resources may have become free. While it stays equal, a request that found
  /// no machine finds none again.
  std::uint64_t gains() const { return gains_; }

  /// Has requests that found no machine tried again, because another machine may meet their
  /// constraints now.
  void note_new_attributes() { ++gains_; }

  /// The time at which the state of a partition was taken, and the round of its snapshot.
  instant taken_at(partition_id p) const { return ages_[p].taken_at; }
  std::uint64_t round(partition_id p) const { return ages_[p].round; }
  /// The version of a partition as sent by its owner; 0 if owners do not send versions.
  std::uint64_t version_of(partition_id p) const { return ages_[p].version; }
  duration age(partition_id p, instant now) const { return now - ages_[p].taken_at; }

  /// The partitions, most recently refreshed first.
  std::span<const partition_id> by_freshness() const { return freshness_.all(); }

  /// Hint to the processor that machines of the most recently refreshed partitions are about to be
  /// sampled. Callers use the first one well ahead, then the second one, again ahead: many
  /// schedulers have more views than fit into the processor's caches.
  void prefetch_fresh() const;
  void prefetch_fresh_sums() const;

  /// Hides a partition, or shows it again, in a few steps. While it is hidden, no unit of it is
  /// free and nothing fits on its machines. Its state is kept up to date meanwhile.
  void hide(partition_id p, bool hidden);
  bool hidden(partition_id p) const { return hidden_[p]; }

  bool fits(machine_id m, const resources& demand) const;

  /// Returns whether a machine may have room for `demand` but not for a unit (catalog::unit). The
  /// sums do not count such machines; only a search finds them.
  bool fits_below_unit(const resources& demand) const { return !demand.fits(machines_->unit()); }

  resources free(machine_id m) const;
  std::uint32_t version(machine_id m) const;

  /// Samples a machine of `p` that is believed to have room and passes the filter. The probability
  /// grows with its score for the task's class and with its free units. If no unit is free in `p`
  /// and the task may fit into less than one, looks at all machines, and a machine with room counts
  /// as one unit. Returns nothing if no machine has room.
  std::optional<machine_id> sample_by_score(partition_id p, const task_request& task,
                                            random_stream& random) const;

  /// Samples evenly among the units believed free in the whole cluster, on machines that pass the
  /// filter; if few are left, among those of the next partition that has one. If none is left and
  /// the task may fit into less than one, does the same in the partitions without a free unit.
  std::optional<machine_id> sample_evenly(const task_request& task, random_stream& random) const;

  /// Samples by score in the first partition of `order` that has no free unit but a machine with
  /// room for the task. This is the last attempt when no free unit was suitable. Costs nothing if
  /// the task does not fit into less than a unit.
  template <class Partitions>
  std::optional<machine_id> sample_below_unit(const Partitions& order, const task_request& task,
                                              random_stream& random) const {
    if (fits_below_unit(task.demand))
      for (const partition_id p : order)
        if (units_[p] == 0)
          if (const auto m = sample_by_score(p, task, random))
            return m;
    return std::nullopt;
  }

  /// The same for a task that only asks for room.
  std::optional<machine_id> sample_by_score(partition_id p, const resources& demand,
                                            random_stream& random) const {
    return sample_by_score(p, {{}, demand}, random);
  }
  std::optional<machine_id> sample_evenly(const resources& demand, random_stream& random) const {
    return sample_evenly(task_request{{}, demand}, random);
  }

  /// Charges a placement.
  void take(machine_id m, const resources& demand);

  /// Refunds the charge of a placement.
  void give(machine_id m, const resources& amount);

  /// Reverts the last `take` on this machine.
  void give_back(machine_id m, const resources& demand);

  /// Adds offered resources.
  void give(std::span<const machine_amount> amounts);

  /// Marks machines as having nothing free.
  void clear(std::span<const machine_id> machines);

  /// Replaces the state of one machine by that in a rejection.
  void correct(machine_id m, const resources& free, std::uint32_t version);

  /// Replaces the state of a partition. Throws `std::invalid_argument` if the snapshot does not fit
  /// the partition.
  void apply(partition_snapshot&& snapshot, std::uint64_t round);

  /// The mean over the partitions of the times at which their states were taken, in s. The mean age
  /// of the view at an instant is that instant less this.
  double mean_taken_at() const;

  /// The age of the partition with the oldest refresh.
  duration greatest_age(instant now) const;

  /// Returns whether every partition has been refreshed at least once.
  bool complete() const { return refreshed_ == parts_.size(); }

private:
  struct freshness {
    instant taken_at{0};
    std::uint64_t round = 0;
    std::uint64_t version = 0;
  };

  void recount(partition_id p);
  template <class Items, class Change>
  void change_many(Items items, Change change);
  bool suits(partition_id p, std::uint32_t index, const task_request& task) const;
  std::optional<machine_id> fitting(partition_id p, std::uint32_t index, const task_request& task,
                                    bool by_score, random_stream& random) const;
  std::optional<machine_id> below_unit(partition_id p, const task_request& task, bool by_score,
                                       random_stream& random) const;

  const catalog* machines_;
  std::vector<view_partition> parts_;
  std::vector<std::uint8_t> hidden_;
  std::vector<std::uint64_t> units_;
  std::vector<std::uint64_t> weights_; ///< by class of tasks, then by partition, in a row
  std::vector<highest_numbers> means_; ///< by class of tasks, then by partition
  std::vector<freshness> ages_;
  freshness_order freshness_;
  std::uint64_t total_units_ = 0;
  std::int64_t taken_at_sum_ = 0; ///< of all partitions, in ns
  std::size_t refreshed_ = 0;
  std::uint64_t gains_ = 0;
};

} // namespace troupe
