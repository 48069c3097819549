#include "model/cluster/catalog.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <tuple>

namespace troupe {

namespace {

constexpr double greatest_weight = 1 << 20;

void refuse_bad_score(double score) {
  if (!std::isfinite(score) || score <= 0)
    throw std::invalid_argument("a machine's score must be positive and finite, not " +
                                std::to_string(score));
}

/// Returns the machines by kind, then by falling score, then by number.
std::vector<machine_id> by_kind_and_score(const std::vector<machine_info>& machines) {
  struct ranked {
    double score;
    std::uint32_t kind;
    machine_id number;
  };
  std::vector<ranked> all(machines.size());
  for (machine_id m = 0; m < all.size(); ++m)
    all[m] = {machines[m].score, machines[m].kind, m};
  // The keys lie beside each other: with a million machines a sort of numbers alone would wait for
  // the memory of the machines at each comparison.
  std::sort(all.begin(), all.end(), [](const ranked& a, const ranked& b) {
    return std::tie(a.kind, b.score, a.number) < std::tie(b.kind, a.score, b.number);
  });
  std::vector<machine_id> order(all.size());
  std::ranges::transform(all, order.begin(), &ranked::number);
  return order;
}

/// Deals `order` to `hands` in rows that change direction.
std::vector<std::vector<machine_id>> deal(const std::vector<machine_id>& order,
                                          std::uint32_t hands) {
  std::vector<std::vector<machine_id>> dealt(hands);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto column = i % hands;
    const bool backwards = i / hands % 2 == 1;
    dealt[backwards ? hands - 1 - column : column].push_back(order[i]);
  }
  return dealt;
}

} // namespace

catalog::catalog(std::vector<machine_info> machines, std::vector<machine_kind> kinds,
                 std::uint32_t partitions, const resources& unit,
                 const std::vector<task_class>& classes, const resources& fragment,
                 const std::vector<described_machine>& described)
  : machines_(std::move(machines)),
    kinds_(std::move(kinds)),
    unit_(unit),
    fragment_(fragment.is_zero() ? unit : fragment) {
  if (partitions == 0 || machines_.size() < partitions)
    throw std::invalid_argument(std::to_string(machines_.size()) + " machines cannot fill " +
                                std::to_string(partitions) + " partitions");
  if (unit.is_zero() || unit.any_negative())
    throw std::invalid_argument("the unit that machines are counted in asks for nothing");
  for (const auto& m : machines_) {
    refuse_bad_score(m.score);
    if (m.kind >= kinds_.size())
      throw std::invalid_argument("a machine of kind " + std::to_string(m.kind) + ", of " +
                                  std::to_string(kinds_.size()));
  }
  const auto order = by_kind_and_score(machines_);
  auto hands = deal(order, partitions);
  std::vector<machine_info> numbered;
  numbered.reserve(machines_.size());
  for (partition_id p = 0; p < partitions; ++p) {
    first_.push_back(static_cast<machine_id>(numbered.size()));
    // The machines of one kind are in order already.
    if (kinds_.size() > 1)
      std::stable_sort(hands[p].begin(), hands[p].end(), [this](machine_id a, machine_id b) {
        return machines_[a].score > machines_[b].score;
      });
    for (auto m : hands[p])
      numbered.push_back(machines_[m]);
  }
  first_.push_back(static_cast<machine_id>(numbered.size()));
  machines_ = std::move(numbered);
  find_blocks();
  describe(described);
  for (const auto& m : machines_)
    for (std::size_t k = 0; k < resource_kinds; ++k)
      greatest_capacity_.amount[k] = std::max(greatest_capacity_.amount[k], m.capacity.amount[k]);
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (greatest_capacity_.amount[k] > 0)
      columns_.push_back(static_cast<resource>(k));
  by_column_.reserve(columns_.size() * machines_.size());
  for (const auto kind : columns_)
    for (const auto& m : machines_)
      by_column_.push_back(m.capacity[kind]);
  for (const auto& m : machines_)
    scores_.push_back(m.score);
  classes_.push_back(scores_for({}));
  for (const auto& c : classes)
    classes_.push_back(scores_for(c));
  sort_by_kind();
  for (const auto& m : machines_)
    units_ += static_cast<std::uint64_t>(times_fitting(m.capacity, unit_));
}

void catalog::let_grow() {
  if (classes_.size() > 1)
    throw std::invalid_argument("classes of tasks in a cluster that grows");
  growth_ = std::make_shared<growing_machines>(machines());
  kinds_.clear();
  for (machine_id m = 0; m < machines(); ++m) {
    machines_[m].kind = m;
    kinds_.push_back({"machine-" + std::to_string(m), {}});
  }
  classes_.front().factors.assign(kinds_.size(), 1);
  capacities_.clear();
  by_kind_.clear();
  first_of_kind_.clear();
  sort_by_kind();
}

bool catalog::meets(std::uint32_t kind, const std::vector<constraint>& all) const {
  if (growth_)
    return growth_->meets(kind, all);
  return std::ranges::all_of(
    all, [&](const constraint& c) { return troupe::meets(kinds_[kind].attributes, c); });
}

resources catalog::present_capacity(machine_id m) const {
  return growth_ ? growth_->capacity_of(m) : machines_[m].capacity;
}

std::map<std::string, std::string> catalog::attributes_of(machine_id m) const {
  return growth_ ? growth_->attributes_of(m) : kind_of(m).attributes;
}

void catalog::find_blocks() {
  block_bits_ = static_cast<std::uint32_t>(std::bit_width(machines_.size() / partitions())) - 1;
  partition_id p = 0;
  for (std::size_t m = 0; m < machines_.size(); m += std::size_t{1} << block_bits_) {
    while (m >= first_[p + 1])
      ++p;
    partition_of_first_.push_back(p);
  }
}

void catalog::describe(const std::vector<described_machine>& described) {
  const auto from_settings = static_cast<std::ptrdiff_t>(kinds_.size());
  for (const auto& d : described) {
    if (d.number >= machines_.size())
      throw std::invalid_argument("machine " + std::to_string(d.number) + " describes itself, of " +
                                  std::to_string(machines_.size()));
    const auto known =
      std::find_if(kinds_.begin() + from_settings, kinds_.end(),
                   [&](const machine_kind& k) { return k.attributes == d.is.attributes; });
    machines_[d.number].kind = static_cast<std::uint32_t>(known - kinds_.begin());
    machines_[d.number].capacity = d.is.capacity;
    if (known == kinds_.end())
      kinds_.push_back(
        {"described-" + std::to_string(std::ssize(kinds_) - from_settings + 1), d.is.attributes});
  }
}

catalog::scores_of_class catalog::scores_for(const task_class& of) const {
  scores_of_class result;
  for (const auto& kind : kinds_)
    result.factors.push_back(of.prefers.empty() ? 1 : of.factor(kind.attributes));
  double best = 0;
  for (const auto& m : machines_) {
    const auto score = m.score * result.factors[m.kind];
    refuse_bad_score(score);
    best = std::max(best, score);
  }
  const double scale = greatest_weight / best;
  result.weight_of_one = scale;
  result.weights.reserve(machines_.size());
  for (const auto& m : machines_)
    result.weights.push_back(static_cast<std::uint32_t>(
      std::max(1.0, std::round(m.score * result.factors[m.kind] * scale))));
  return result;
}

void catalog::sort_by_kind() {
  by_kind_.reserve(machines_.size());
  std::vector<std::vector<std::uint32_t>> places(kinds_.size());
  capacities_.resize(kinds_.size());
  for (const auto& m : machines_) {
    auto& known = capacities_[m.kind];
    if (std::find(known.rbegin(), known.rend(), m.capacity) == known.rend())
      known.push_back(m.capacity);
  }
  for (partition_id p = 0; p < partitions(); ++p) {
    for (auto m : members(p))
      places[machines_[m].kind].push_back(m - first_[p]);
    for (auto& of_kind : places) {
      first_of_kind_.push_back(by_kind_.size());
      by_kind_.insert(by_kind_.end(), of_kind.begin(), of_kind.end());
      of_kind.clear();
    }
  }
  first_of_kind_.push_back(by_kind_.size());
}

} // namespace troupe
