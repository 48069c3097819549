#include "workload/fit/fit_tables.hpp"

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

constexpr std::size_t most_requests = 100'000;

/// To six significant digits, which is what bins are good for, and is short to write.
double rounded(double x) {
  if (x == 0)
    return 0;
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(x))));
  return std::round(x * scale) / scale;
}

template <class Counts>
auto by_frequency(const Counts& counts, std::size_t n) {
  std::vector<std::pair<std::uint64_t, decltype(counts.begin())>> order;
  for (auto it = counts.begin(); it != counts.end(); ++it)
    order.emplace_back(it->second, it);
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first > b.first; });
  order.resize(std::min(order.size(), n));
  return order;
}

} // namespace

distribution_settings quantile_table(const distribution& of) {
  distribution_settings table;
  if (of.empty() || of.min() == of.max()) {
    table.kind = distribution_kind::fixed;
    table.value = of.empty() ? 1 : std::max(of.min(), 1e-9);
    return table;
  }
  table.kind = distribution_kind::quantiles;
  for (int percent = 0; percent < 100; ++percent)
    table.levels.push_back(percent / 100.0);
  for (double level : {0.995, 0.999, 0.9995, 0.9999, 1.0})
    table.levels.push_back(level);
  double least = 0;
  for (double level : table.levels) {
    least = std::max(least, rounded(of.quantile(level)));
    table.values.push_back(least);
  }
  return table;
}

void request_counter::add(const task_group& group) {
  all_ += group.count;
  request asked{group.demand, group.constraints};
  const auto it = counts_.find(asked);
  if (it != counts_.end())
    it->second += group.count;
  else if (counts_.size() < most_requests)
    counts_.emplace(std::move(asked), group.count);
}

std::vector<request_settings> request_counter::most_frequent(std::size_t n) const {
  std::vector<request_settings> found;
  for (const auto& [count, it] : by_frequency(counts_, n)) {
    auto& r = found.emplace_back();
    r.weight = rounded(static_cast<double>(count) / static_cast<double>(all_));
    r.cpu = amount_of(it->first.demand, 0);
    r.memory = amount_of(it->first.demand, 1);
    r.gpu = amount_of(it->first.demand, 2);
    r.slots = it->first.demand[resource::slots];
    for (const auto& c : it->first.constraints)
      r.constraints.push_back(to_string(c));
  }
  return found;
}

std::vector<machine_class> machine_shapes(const machine_table& machines, std::size_t n) {
  std::map<std::pair<std::array<std::int32_t, resource_kinds>, std::uint32_t>, std::uint64_t>
    counts;
  for (const auto& m : machines.machines)
    if (!m.at_begin.is_zero())
      ++counts[{m.at_begin.amount, m.kind}];
  std::vector<machine_class> shapes;
  for (const auto& [count, it] : by_frequency(counts, n)) {
    const resources has{it->first.first};
    auto& c = shapes.emplace_back();
    c.name = "shape-" + std::to_string(shapes.size());
    c.share = static_cast<double>(count);
    c.cpu = amount_of(has, 0);
    c.memory = amount_of(has, 1);
    c.gpu = amount_of(has, 2);
    c.slots = has[resource::slots];
    c.attributes = machines.kinds[it->first.second].attributes;
  }
  return shapes;
}

} // namespace troupe
