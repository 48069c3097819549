#include "model/cluster/machine_windows.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

machine_windows::machine_windows(const std::vector<machine_window>& windows, std::uint32_t machines,
                                 std::shared_ptr<const run_begin> begin)
  : class_of_(machines), begin_(std::move(begin)) {
  std::vector<std::vector<std::size_t>> of_machine(machines);
  for (std::size_t w = 0; w < windows.size(); ++w) {
    ends_.push_back(windows[w].to);
    for (const auto m : windows[w].machines) {
      if (m >= machines)
        throw std::invalid_argument("a window of machine " + std::to_string(m) + ", of " +
                                    std::to_string(machines));
      of_machine[m].push_back(w);
    }
  }
  std::ranges::sort(ends_);
  std::map<std::vector<std::size_t>, std::uint32_t> known{{{}, 0}};
  of_class_.emplace_back();
  for (machine_id m = 0; m < machines; ++m) {
    auto& has = of_machine[m];
    std::ranges::sort(has);
    has.erase(std::ranges::unique(has).begin(), has.end());
    const auto [at, is_new] = known.try_emplace(has, classes());
    class_of_[m] = at->second;
    if (!is_new)
      continue;
    auto& of = of_class_.emplace_back();
    for (const auto w : has)
      of.push_back({windows[w].from, windows[w].to, windows[w].tenant, {}});
    std::ranges::stable_sort(of, {}, &machine_window::from);
  }
}

instant machine_windows::open_until(std::uint32_t of_class, instant at,
                                    std::uint32_t tenant) const {
  const auto& all = of_class_[of_class];
  if (all.empty())
    return instant::max();
  const auto now = run_time(at);
  for (const auto& w : all)
    if (w.to > now && w.excludes(tenant))
      return w.from <= now ? at : member_time(w.from);
  return instant::max();
}

bool machine_windows::lets_start(std::uint32_t of_class, instant from, instant to,
                                 duration estimate, std::uint32_t tenant) const {
  const auto might = [&](instant at) {
    const auto end = end_of(at, estimate);
    return admits(of_class, at, end == instant::max() ? end : end - slack, tenant);
  };
  // Between two windows the earliest instant is the best.
  return might(from) || std::ranges::any_of(of_class_[of_class], [&](const machine_window& w) {
           const auto at = member_time(w.to);
           return at > from && at <= to && might(at);
         });
}

instant machine_windows::next_end(std::uint32_t of_class, instant after) const {
  const auto now = run_time(after);
  auto next = instant::max();
  for (const auto& w : of_class_[of_class])
    if (w.to > now)
      next = std::min(next, w.to);
  return next == instant::max() ? next : member_time(next);
}

instant machine_windows::next_end(instant after) const {
  const auto next = std::ranges::upper_bound(ends_, run_time(after));
  return next == ends_.end() ? instant::max() : member_time(*next);
}

machine_hours::machine_hours(std::shared_ptr<const machine_windows> windows, machine_id machine) {
  if (windows == nullptr || windows->class_of(machine) == 0)
    return;
  class_ = windows->class_of(machine);
  windows_ = std::move(windows);
}

bool machine_hours::admits_task(instant at, duration estimate, std::uint32_t tenant) const {
  return !any() || planted(planted_fault::ignored_windows) ||
         windows_->admits_task(class_, at, estimate, tenant);
}

bool machine_hours::lets_start(instant now, duration estimate, std::uint32_t tenant) const {
  return !any() || planted(planted_fault::ignored_windows) ||
         windows_->lets_start(class_, now, estimate, tenant);
}

instant machine_hours::next_end(instant after) const {
  return any() ? windows_->next_end(class_, after) : instant::max();
}

} // namespace troupe
