#include "model/catalog.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace troupe {

namespace {

constexpr double greatest_weight = 1 << 20;

double greatest_score(const std::vector<machine_info>& machines) {
  double best = 0;
  for (const auto& m : machines) {
    if (!std::isfinite(m.score) || m.score <= 0)
      throw std::invalid_argument("a machine's score must be positive and finite, not " +
                                  std::to_string(m.score));
    best = std::max(best, m.score);
  }
  return best;
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
                 std::uint32_t partitions, const resources& unit)
  : machines_(std::move(machines)), kinds_(std::move(kinds)), unit_(unit) {
  if (partitions == 0 || machines_.size() < partitions)
    throw std::invalid_argument(std::to_string(machines_.size()) + " machines cannot fill " +
                                std::to_string(partitions) + " partitions");
  if (unit.is_zero() || unit.any_negative())
    throw std::invalid_argument("the unit that machines are counted in asks for nothing");
  const double scale = greatest_weight / greatest_score(machines_);
  weight_of_one_ = scale;
  const auto better = [this](machine_id a, machine_id b) {
    return machines_[a].score > machines_[b].score;
  };
  std::vector<machine_id> order(machines_.size());
  std::iota(order.begin(), order.end(), machine_id{0});
  std::stable_sort(order.begin(), order.end(), [&](machine_id a, machine_id b) {
    return machines_[a].kind != machines_[b].kind ? machines_[a].kind < machines_[b].kind
                                                  : better(a, b);
  });
  auto hands = deal(order, partitions);
  std::vector<machine_info> numbered;
  numbered.reserve(machines_.size());
  weights_.resize(partitions);
  for (partition_id p = 0; p < partitions; ++p) {
    first_.push_back(static_cast<machine_id>(numbered.size()));
    std::stable_sort(hands[p].begin(), hands[p].end(), better);
    for (auto m : hands[p]) {
      numbered.push_back(machines_[m]);
      partition_of_.push_back(p);
      weights_[p].push_back(
        static_cast<std::uint32_t>(std::max(1.0, std::round(machines_[m].score * scale))));
    }
  }
  first_.push_back(static_cast<machine_id>(numbered.size()));
  machines_ = std::move(numbered);
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    const auto kind = static_cast<resource>(k);
    if (std::any_of(machines_.begin(), machines_.end(),
                    [kind](const auto& m) { return m.capacity[kind] > 0; }))
      columns_.push_back(kind);
  }
  for (const auto& m : machines_)
    scores_.push_back(m.score);
  for (const auto& m : machines_)
    units_ += static_cast<std::uint64_t>(times_fitting(m.capacity, unit_));
}

} // namespace troupe
