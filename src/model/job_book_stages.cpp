#include "model/job_book.hpp"

#include <limits>
#include <stdexcept>

// Jobs whose groups of tasks wait for each other: that part of `job_book`.
namespace troupe {

namespace {

constexpr auto no_more = std::numeric_limits<std::uint32_t>::max();

} // namespace

bool job_book::has_stages(const job& j) {
  bool any = false;
  for (std::uint32_t g = 0; g < j.groups.size(); ++g)
    for (auto parent : j.groups[g].after) {
      any = true;
      if (parent >= g)
        throw std::invalid_argument("group " + std::to_string(g) + " of job " +
                                    std::to_string(j.id) + " waits for group " +
                                    std::to_string(parent) + ", which is not before it");
    }
  return any;
}

void job_book::begin_stages(open_job& of) {
  const auto& groups = of.what.groups;
  of.dag = std::make_unique<stages>();
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    of.dag->unfinished.push_back(groups[g].count);
    of.dag->blockers.push_back(static_cast<std::uint32_t>(groups[g].after.size()));
    of.dag->released.push_back(of.what.submitted);
    blocked_ += groups[g].count;
  }
  for (std::uint32_t g = 0; g < groups.size(); ++g)
    if (groups[g].after.empty())
      release(of, g, of.what.submitted);
}

void job_book::release(open_job& of, std::uint32_t group, instant at) {
  of.dag->blockers[group] = no_more;
  of.dag->released[group] = at;
  std::uint32_t first = 0;
  for (std::uint32_t g = 0; g < group; ++g)
    first += of.what.groups[g].count;
  const auto count = of.what.groups[group].count;
  lane_of(of.what).fresh.push_back({&of, group, 0, first, first + count, 0});
  blocked_ -= count;
  waiting_ += count;
  chosen_ = nullptr;
}

void job_book::close_stage(open_job& of, std::uint32_t task, instant at) {
  const auto& groups = of.what.groups;
  std::uint32_t ended = 0;
  for (auto first = groups[0].count; task >= first; first += groups[ended].count)
    ++ended;
  if (--of.dag->unfinished[ended] > 0)
    return;
  for (auto g = ended + 1; g < groups.size(); ++g)
    for (auto parent : groups[g].after)
      if (parent == ended && of.dag->blockers[g] != no_more && --of.dag->blockers[g] == 0)
        release(of, g, at);
}

void job_book::drop_blocked(open_job& of, std::vector<waiting_task>& into) {
  std::uint32_t index = 0;
  for (std::uint32_t g = 0; g < of.what.groups.size(); ++g) {
    const auto count = of.what.groups[g].count;
    if (of.dag->blockers[g] == no_more) {
      index += count;
      continue;
    }
    of.dag->blockers[g] = no_more;
    blocked_ -= count;
    for (std::uint32_t i = 0; i < count; ++i, ++index)
      if (auto task = find({of.what.id, index}))
        into.push_back(*task);
  }
}

} // namespace troupe
