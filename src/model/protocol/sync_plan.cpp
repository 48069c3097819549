#include "model/protocol/sync_plan.hpp"

#include <stdexcept>

namespace troupe {

namespace {

void check(duration gap, std::uint32_t groups) {
  if (gap <= duration::zero())
    throw std::invalid_argument("a sync gap must be longer than 0");
  if (groups == 0)
    throw std::invalid_argument("a sync plan needs at least one group of schedulers");
}

} // namespace

sync_plan sync_plan::partitioned(duration gap, std::uint32_t groups) {
  check(gap, groups);
  return {gap, groups, false};
}

sync_plan sync_plan::same(duration gap, std::uint32_t groups) {
  check(gap, groups);
  return {gap, groups, true};
}

sync_plan sync_plan::none() {
  return {duration::zero(), 0, false};
}

instant sync_plan::due(std::uint64_t n) const {
  __extension__ using wide = __int128;
  return instant{
    static_cast<std::int64_t>(static_cast<wide>(gap_.count()) * static_cast<wide>(n) / groups_)};
}

} // namespace troupe
