#include "workload/formats/machine_builder.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace troupe {

machine_builder::entry& machine_builder::find(const std::string& name) {
  const auto [it, added] = places_.try_emplace(name, static_cast<std::uint32_t>(entries_.size()));
  if (added)
    entries_.push_back({name, {}, {}, {}, {}});
  return entries_[it->second];
}

void machine_builder::set(const std::string& name, duration at, const resources& capacity) {
  auto& machine = find(name);
  if (at <= settings_.from) {
    machine.begin = machine.now = machine.greatest = capacity;
    return;
  }
  if (!settings_.churn || machine.now == capacity)
    return;
  machine.now = capacity;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    machine.greatest.amount[k] = std::max(machine.greatest.amount[k], capacity.amount[k]);
  const auto since = std::min(to_seconds(at - settings_.from) / settings_.speedup, 1e9);
  changes_.push_back({from_seconds(since), places_.at(name), capacity});
}

void machine_builder::describe(const std::string& name, const attributes& what) {
  find(name).what = what;
}

void machine_builder::describe(const std::string& name, const std::string& attribute,
                               const std::string& value) {
  find(name).what[attribute] = value;
}

void machine_builder::forget(const std::string& name, const std::string& attribute) {
  find(name).what.erase(attribute);
}

machine_table machine_builder::build(const std::string& path, const trace_tally& tally) {
  machine_table table;
  table.rows = tally.rows();
  table.skipped = tally.skipped();
  constexpr auto left_out = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(entries_.size(), left_out);
  std::map<attributes, std::uint32_t> kinds;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& e = entries_[i];
    if (e.greatest.is_zero()) {
      ++table.skipped["machine that is never there"];
      continue;
    }
    if (!in_sample(hash_of(e.name), settings_.sample)) {
      ++table.skipped["machine not in the sample"];
      continue;
    }
    const auto [kind, added] = kinds.try_emplace(e.what, static_cast<std::uint32_t>(kinds.size()));
    if (added)
      table.kinds.push_back({"kind-" + std::to_string(kind->second), e.what});
    number[i] = static_cast<std::uint32_t>(table.machines.size());
    table.machines.push_back({e.name, e.greatest, e.begin, kind->second});
  }
  if (table.machines.empty())
    throw std::runtime_error{path + ": no machines are found in it"};
  std::vector<resources> now;
  for (const auto& m : table.machines)
    now.push_back(m.at_begin);
  for (auto change : changes_) {
    change.machine = number[change.machine];
    if (change.machine == left_out)
      continue;
    auto& before = now[change.machine];
    ++(before.is_zero() ? table.joins : change.capacity.is_zero() ? table.leaves : table.resizes);
    before = change.capacity;
    table.changes.push_back(change);
  }
  std::ranges::stable_sort(table.changes, {}, &capacity_change::at);
  return table;
}

std::vector<resources> machine_table::at_most_present() const {
  std::vector<resources> now;
  for (const auto& m : machines)
    now.push_back(m.at_begin);
  auto most = now;
  auto there = static_cast<std::int64_t>(present());
  auto greatest = there;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    auto& capacity = now[changes[i].machine];
    there += static_cast<int>(capacity.is_zero()) - static_cast<int>(changes[i].capacity.is_zero());
    capacity = changes[i].capacity;
    const bool at_once = i + 1 < changes.size() && changes[i + 1].at == changes[i].at;
    if (!at_once && there > greatest) {
      greatest = there;
      most = now;
    }
  }
  return most;
}

std::uint64_t machine_table::present() const {
  return static_cast<std::uint64_t>(
    std::ranges::count_if(machines, [](const auto& m) { return !m.at_begin.is_zero(); }));
}

} // namespace troupe
