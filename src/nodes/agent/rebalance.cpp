#include "nodes/agent/rebalance.hpp"

#include <algorithm>

namespace troupe {

namespace {

std::size_t members_on(const node_report& report, role what) {
  return static_cast<std::size_t>(std::ranges::count(report.members, what, &member_entry::what));
}

std::uint32_t most_on(const node_roles& roles, role what) {
  return what == role::owner ? roles.owners : what == role::scheduler ? roles.schedulers : 0;
}

} // namespace

std::optional<member> to_level(const node_list& nodes,
                               const std::map<std::uint32_t, node_report>& reports, role what) {
  const node_report* fullest = nullptr;
  const node_report* idlest = nullptr;
  for (const auto& e : nodes.nodes) {
    const auto it = reports.find(e.index);
    if (it == reports.end() || !e.present || e.draining)
      continue;
    const auto n = members_on(it->second, what);
    if (n < most_on(e.who.roles, what) && (!idlest || n < members_on(*idlest, what)))
      idlest = &it->second;
    if (!fullest || n > members_on(*fullest, what))
      fullest = &it->second;
  }
  if (!idlest || !fullest || members_on(*fullest, what) < members_on(*idlest, what) + 2)
    return std::nullopt;
  const auto moves = std::ranges::find(fullest->members, what, &member_entry::what);
  return member{what, moves->number};
}

} // namespace troupe
