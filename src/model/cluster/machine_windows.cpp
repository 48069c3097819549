#include "model/cluster/machine_windows.hpp"

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

instant machine_windows::next_end(instant after) const {
  const auto next = std::ranges::upper_bound(ends_, run_time(after));
  return next == ends_.end() ? instant::max() : member_time(*next);
}

} // namespace troupe
