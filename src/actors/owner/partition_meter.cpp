#include "actors/owner/partition_meter.hpp"

#include <algorithm>

namespace troupe {

void partition_meter::count(const commit_request& wanted, const commit_reply& reply,
                            const catalog& machines) {
  if (counted_.empty())
    counted_.resize(machines.partitions());
  const auto at = [&](machine_id machine) -> partition_details* {
    if (machine >= machines.machines())
      return nullptr;
    return &counted_[machines.place_of(machine).partition];
  };
  auto refused = reply.rejections.begin();
  auto diverted = reply.diversions.begin();
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i) {
    auto machine = wanted.placements[i].machine;
    if (refused != reply.rejections.end() && refused->index == i) {
      const auto cause = refused++->cause;
      if (auto* part = at(machine); part != nullptr && cause != conflict_cause::aborted)
        ++part->refused[static_cast<std::size_t>(cause)];
      continue;
    }
    while (diverted != reply.diversions.end() && diverted->index < i)
      ++diverted;
    if (diverted != reply.diversions.end() && diverted->index == i)
      machine = diverted->machine;
    if (auto* part = at(machine); part != nullptr && wanted.mode != commit_mode::hold)
      ++part->granted;
  }
}

std::vector<partition_details> partition_meter::take(const owned_partitions& of, bool wanted) {
  std::vector<partition_details> all;
  if (!wanted) {
    counts_ = false;
    counted_ = {};
    return all;
  }
  if (counted_.empty())
    counted_.resize(of.machines().partitions());
  counts_ = true;
  for (const auto& part : of) {
    auto& now = all.emplace_back(counted_[part.partition()]);
    now.partition = part.partition();
    now.capacity = part.capacity();
    now.used = part.used();
    now.machines = part.size();
    now.up = part.present();
    now.running = part.running();
  }
  std::ranges::fill(counted_, partition_details{});
  return all;
}

} // namespace troupe
