#include "model/view/view.hpp"

#include "model/view/idle_view.hpp"
#include "model/view/sample_filtered.hpp"

#include <algorithm>
#include <limits>

namespace troupe {

namespace {

/// How often a sampled machine without room is drawn again before the partition is searched.
constexpr int redraws = 8;

/// If a partition has at most this number of machines, they are looked at one by one before any is
/// drawn.
constexpr std::size_t few = 32;

/// How many of the partitions that were refreshed last are prefetched: those of a round or two.
constexpr std::size_t fresh = 6;

constexpr std::size_t cache_line = 64;

} // namespace

view::view(const catalog& machines, instant now)
  : machines_(&machines),
    hidden_(machines.partitions()),
    units_(machines.partitions()),
    weights_(std::size_t{machines.task_classes()} * machines.partitions()),
    means_(machines.task_classes(), highest_numbers{machines.partitions()}),
    ages_(machines.partitions(), freshness{now, 0, 0}),
    freshness_(machines.partitions()),
    taken_at_sum_(now.count() * machines.partitions()) {
  parts_.reserve(machines.partitions());
  for (partition_id p = 0; p < machines.partitions(); ++p) {
    parts_.emplace_back(&machines.idle().parts[p]);
    recount(p);
  }
}

void view::recount(partition_id p) {
  const auto units = hidden_[p] ? 0 : parts_[p].units();
  total_units_ += units - units_[p];
  units_[p] = units;
  for (std::uint32_t c = 0; c < means_.size(); ++c) {
    const auto weight = units == 0 ? 0 : parts_[p].weight(c);
    weights_[c * units_.size() + p] = weight;
    means_[c].set(p, units == 0 ? 0 : static_cast<double>(weight) / static_cast<double>(units));
  }
}

void view::hide(partition_id p, bool hidden) {
  hidden_[p] = hidden;
  ++gains_;
  recount(p);
}

void view::prefetch_fresh() const {
  for (const auto p : by_freshness().first(std::min<std::size_t>(fresh, parts_.size()))) {
    const auto* const part = reinterpret_cast<const char*>(&parts_[p]);
    for (std::size_t at = 0; at < sizeof(view_partition); at += cache_line)
      __builtin_prefetch(part + at, 1);
    __builtin_prefetch(&units_[p], 1);
    __builtin_prefetch(&weights_[p], 1);
    __builtin_prefetch(&means_.front().numbers()[p], 1);
    __builtin_prefetch(&ages_[p]);
  }
}

void view::prefetch_fresh_sums() const {
  for (const auto p : by_freshness().first(std::min<std::size_t>(fresh, parts_.size())))
    parts_[p].prefetch_sums();
}

bool view::fits(machine_id m, const resources& demand) const {
  const auto place = machines_->place_of(m);
  return !hidden_[place.partition] && parts_[place.partition].fits(place.index, demand);
}

resources view::free(machine_id m) const {
  const auto place = machines_->place_of(m);
  return parts_[place.partition].free(place.index);
}

std::uint32_t view::version(machine_id m) const {
  const auto place = machines_->place_of(m);
  return parts_[place.partition].version(place.index);
}

bool view::suits(partition_id p, std::uint32_t index, const task_request& task) const {
  return parts_[p].fits(index, task.demand) &&
         (task.filter.empty() || task.filter.admits(*machines_, machines_->members(p)[index]));
}

std::optional<machine_id> view::fitting(partition_id p, std::uint32_t index,
                                        const task_request& task, bool by_score,
                                        random_stream& random) const {
  const auto i = task.filter.empty()
                   ? parts_[p].first_fitting(index, task.demand)
                   : sample_filtered(*machines_, p, parts_[p], task, by_score, random);
  return i ? std::optional{machines_->members(p)[*i]} : std::nullopt;
}

std::optional<machine_id> view::below_unit(partition_id p, const task_request& task, bool by_score,
                                           random_stream& random) const {
  if (hidden_[p] || !fits_below_unit(task.demand))
    return std::nullopt;
  const auto i = sample_filtered(*machines_, p, parts_[p], task, by_score, random);
  return i ? std::optional{machines_->members(p)[*i]} : std::nullopt;
}

std::optional<machine_id> view::sample_by_score(partition_id p, const task_request& task,
                                                random_stream& random) const {
  const auto& part = parts_[p];
  if (units_[p] == 0)
    return below_unit(p, task, true, random);
  std::uint32_t index = 0;
  if (task.filter.kinds != nullptr && machines_of_kinds(*machines_, p, task.filter) < few)
    return fitting(p, index, task, true, random);
  for (int i = 0; i < redraws; ++i) {
    index = part.machine_at_weight(random.below(weight(p, task.task_class)), task.task_class);
    if (suits(p, index, task))
      return machines_->members(p)[index];
  }
  return fitting(p, index, task, true, random);
}

std::optional<machine_id> view::sample_evenly(const task_request& task,
                                              random_stream& random) const {
  partition_id p = 0;
  std::uint32_t index = 0;
  for (int i = 0; i < redraws && total_units_ > 0; ++i) {
    auto at = random.below(total_units_);
    for (p = 0; at >= units_[p]; ++p)
      at -= units_[p];
    index = parts_[p].machine_at_unit(at);
    if (suits(p, index, task))
      return machines_->members(p)[index];
  }
  for (partition_id k = 0; k < partitions(); ++k) {
    const auto other = (p + k) % partitions();
    if (units_[other] > 0)
      if (const auto m = fitting(other, index % parts_[other].size(), task, false, random))
        return m;
  }
  if (!fits_below_unit(task.demand))
    return std::nullopt;
  const auto start = static_cast<partition_id>(random.below(partitions()));
  for (partition_id k = 0; k < partitions(); ++k)
    if (const auto q = (start + k) % partitions(); units_[q] == 0)
      if (const auto m = below_unit(q, task, false, random))
        return m;
  return std::nullopt;
}

void view::take(machine_id m, const resources& demand) {
  const auto place = machines_->place_of(m);
  parts_[place.partition].take(place.index, demand);
  recount(place.partition);
}

void view::give(machine_id m, const resources& amount) {
  const auto place = machines_->place_of(m);
  parts_[place.partition].give(place.index, amount);
  ++gains_;
  recount(place.partition);
}

void view::give_back(machine_id m, const resources& demand) {
  const auto place = machines_->place_of(m);
  parts_[place.partition].give_back(place.index, demand);
  recount(place.partition);
}

/// Changes machines, most of which follow the one before, and updates the sums of a partition once
/// per run of its machines.
template <class Items, class Change>
void view::change_many(Items items, Change change) {
  constexpr auto none = std::numeric_limits<partition_id>::max();
  auto last = none;
  for (const auto& item : items) {
    const auto p = change(item);
    if (p != last && last != none)
      recount(last);
    last = p;
  }
  if (last != none)
    recount(last);
  ++gains_;
}

void view::give(std::span<const machine_amount> amounts) {
  change_many(amounts, [this](const machine_amount& a) {
    const auto place = machines_->place_of(a.machine);
    parts_[place.partition].give(place.index, a.amount);
    return place.partition;
  });
}

void view::clear(std::span<const machine_id> machines) {
  change_many(machines, [this](machine_id m) {
    const auto place = machines_->place_of(m);
    auto& part = parts_[place.partition];
    part.correct(place.index, {}, part.version(place.index));
    return place.partition;
  });
}

void view::correct(machine_id m, const resources& free, std::uint32_t version) {
  const auto place = machines_->place_of(m);
  parts_[place.partition].correct(place.index, free, version);
  ++gains_;
  recount(place.partition);
}

void view::apply(partition_snapshot&& snapshot, std::uint64_t round) {
  const auto p = snapshot.partition;
  parts_.at(p).assign(std::move(snapshot.free), std::move(snapshot.versions),
                      std::move(snapshot.counted));
  recount(p);
  ++gains_;
  refreshed_ += ages_[p].round == 0 && round > 0;
  taken_at_sum_ += (snapshot.taken_at - ages_[p].taken_at).count();
  ages_[p] = {snapshot.taken_at, round, snapshot.version};
  freshness_.move_to_front(p);
}

duration view::greatest_age(instant now) const {
  duration oldest{0};
  for (const auto& a : ages_)
    oldest = std::max<duration>(oldest, now - a.taken_at);
  return oldest;
}

double view::mean_taken_at() const {
  return static_cast<double>(taken_at_sum_) * 1e-9 / static_cast<double>(parts_.size());
}

} // namespace troupe
