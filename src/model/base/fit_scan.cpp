#include "model/base/fit_scan.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

namespace troupe {

namespace {

constexpr std::uint32_t block = 64;
constexpr std::uint32_t no_room = std::numeric_limits<std::uint32_t>::max();

/// The distance of each machine of a block from the best fit; the least is best.
using distances = std::array<std::uint32_t, block>;

/// A scan under way.
class scan {
public:
  scan(const view& seen, const task_request& task, fit_order order)
    : seen_(&seen), task_(&task), order_(order) {
    const auto& most = seen.machines().greatest_capacity();
    for (auto kind : seen.machines().columns()) {
      const auto demand = task.demand[kind];
      // Each remainder is less than 2^30, so the sum over all kinds stays below 2^32 - 3.
      const auto share = (1U << 30) / static_cast<std::uint32_t>(most[kind]);
      columns_[kinds_++] = {demand, demand > 0 ? share : 0};
    }
  }

  /// Looks at machines `from` .. `to` - 1 of a partition.
  void look(partition_id p, std::uint32_t from, std::uint32_t to) {
    if (is_as_good_as(p, from) || !any_room(seen_->part(p).table(), from, to - from))
      return;
    distances found;
    measure(seen_->part(p).table(), from, to - from, found);
    auto least = no_room;
    for (std::uint32_t i = 0; i < to - from; ++i)
      least = std::min(least, found[i]);
    if (least == no_room || least > best_distance_)
      return;
    const auto weights = seen_->machines().weights(p, task_->task_class);
    const auto members = seen_->machines().members(p);
    if (task_->filter.empty() &&
        task_->task_class == 0) { // the first of the best has the best score
      const auto first = std::find(found.begin(), found.end(), least) - found.begin();
      const auto i = from + static_cast<std::uint32_t>(first);
      if (least < best_distance_ || weights[i] > best_weight_)
        take(members[i], least, weights[i]);
      return;
    }
    for (auto i = from; i < to; ++i) {
      const auto distance = found[i - from];
      if (distance == no_room || distance > best_distance_ ||
          (distance == best_distance_ && weights[i] <= best_weight_))
        continue;
      if (!task_->filter.empty() && !task_->filter.admits(seen_->machines(), members[i]))
        continue;
      take(members[i], distance, weights[i]);
    }
  }

  const std::optional<machine_id>& best() const { return best_; }

private:
  void take(machine_id m, std::uint32_t distance, std::uint32_t weight) {
    best_ = m;
    best_distance_ = distance;
    best_weight_ = weight;
  }

  /// Returns whether the best so far leaves nothing over, and no machine from an index on has a
  /// better score: the machines of a partition are sorted by theirs.
  bool is_as_good_as(partition_id p, std::uint32_t from) const {
    return best_distance_ == 0 && task_->task_class == 0 &&
           seen_->machines().weights(p)[from] <= best_weight_;
  }

  /// Returns whether any machine has room as far as the resource is concerned that is asked for
  /// first. A loop over bytes becomes a few instructions.
  bool any_room(const free_table& table, std::uint32_t from, std::uint32_t n) const {
    std::size_t c = 0;
    while (c + 1 < kinds_ && columns_[c].demand <= 0)
      ++c;
    return table.cells().look([&](const auto* first) {
      using cell = std::remove_cvref_t<decltype(*first)>;
      if (columns_[c].demand > std::numeric_limits<cell>::max())
        return false;
      const auto* const cells = first + c * table.size() + from;
      const auto demand = static_cast<cell>(columns_[c].demand);
      cell any = 0;
      for (std::uint32_t i = 0; i < n; ++i)
        any = static_cast<cell>(any | (cells[i] >= demand ? -1 : 0));
      return any != 0;
    });
  }

  struct column {
    std::int32_t demand = 0;
    /// Weight of one unit of the resource; 0 if the task does not ask for it.
    std::uint32_t share = 0;
  };

  void measure(const free_table& table, std::uint32_t from, std::uint32_t n, distances& out) const {
    std::array<std::int32_t, block> lacking{}; // negative where any kind is
    out.fill(0);
    for (std::size_t c = 0; c < kinds_; ++c) {
      const auto [demand, share] = columns_[c];
      table.cells().look([&, demand = demand, share = share](const auto* first) {
        const auto* cells = first + c * table.size() + from;
        for (std::uint32_t i = 0; i < n; ++i) {
          const auto left = cells[i] - demand;
          lacking[i] |= left;
          out[i] += static_cast<std::uint32_t>(left) * share;
        }
      });
    }
    const std::uint32_t turn = order_ == fit_order::tightest ? 0 : no_room - 1;
    for (std::uint32_t i = 0; i < n; ++i)
      out[i] = lacking[i] < 0 ? no_room : turn == 0 ? out[i] : turn - out[i];
  }

  const view* seen_;
  const task_request* task_;
  fit_order order_;
  std::array<column, resource_kinds> columns_{};
  std::size_t kinds_ = 0;
  std::optional<machine_id> best_;
  std::uint32_t best_distance_ = no_room;
  std::uint32_t best_weight_ = 0;
};

} // namespace

std::optional<machine_id> scan_for_fit(const view& seen, const task_request& task, fit_order order,
                                       std::uint32_t limit, random_stream& random,
                                       std::uint32_t* looked_at) {
  const auto& machines = seen.machines();
  if (!machines.greatest_capacity().fits(task.demand))
    return std::nullopt;
  scan all{seen, task, order};
  std::uint32_t looked = 0;
  const auto start = machines.place_of(static_cast<machine_id>(random.below(machines.machines())));
  const auto enough = [&] { return limit > 0 && looked >= limit && all.best(); };
  const auto look = [&](partition_id p, std::uint32_t from, std::uint32_t to) {
    if (seen.hidden(p))
      return;
    while (from < to && !enough()) {
      auto n = std::min(block, to - from);
      if (looked < limit)
        n = std::min(n, limit - looked);
      all.look(p, from, from + n);
      from += n;
      looked += n;
    }
  };
  const auto size = [&](partition_id p) {
    return static_cast<std::uint32_t>(machines.members(p).size());
  };
  look(start.partition, start.index, size(start.partition));
  for (partition_id k = 1; k < seen.partitions() && !enough(); ++k) {
    const auto p = (start.partition + k) % seen.partitions();
    look(p, 0, size(p));
  }
  look(start.partition, 0, start.index);
  if (looked_at != nullptr)
    *looked_at = looked;
  return all.best();
}

} // namespace troupe
