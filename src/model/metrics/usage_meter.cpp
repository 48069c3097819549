#include "model/metrics/usage_meter.hpp"

#include "model/jobs/tenants.hpp"

namespace troupe {

usage_meter::usage_meter(const catalog& machines, std::uint32_t tenants, machine_id first,
                         std::uint32_t count, instant from)
  : columns_(machines.columns().begin(), machines.columns().end()),
    fragment_(machines.fragment()),
    strands_(columns_.size() > 1 || fragment_[columns_.front()] != 1),
    tenants_(tenants > 1 ? tenants : 0),
    from_(from),
    accounted_(from) {
  for (auto m = first; m < first + count; ++m) {
    const auto& capacity = machines.machine(m).capacity;
    capacity_ += capacity;
    if (!capacity.fits(fragment_))
      stranded_ += capacity;
  }
  of_ = count == machines.machines() ? capacity_ : total_capacity(machines);
  weight_ = static_cast<double>(count) / machines.machines();
}

double usage_meter::utilization() const {
  return dominant_share(used_, capacity_);
}

void usage_meter::account(instant now) {
  if (now <= accounted_)
    return;
  const double elapsed = to_seconds(now - accounted_);
  if (!resized_)
    used_seconds_ += dominant_share(used_, of_) * elapsed;
  else if (capacity_ == resource_sum{})
    empty_seconds_ += elapsed;
  else
    used_seconds_ += weight_ * dominant_share(used_, capacity_) * elapsed;
  for (const auto kind : columns_) {
    const auto k = static_cast<std::size_t>(kind);
    uses_[k].merge({static_cast<double>(capacity_.amount[k]) * elapsed,
                    static_cast<double>(used_.amount[k]) * elapsed,
                    static_cast<double>(stranded_.amount[k]) * elapsed});
  }
  for (auto& t : tenants_)
    t.over.add(t.now, elapsed);
  accounted_ = now;
}

void usage_meter::change(const task_use& task, const resources& before, const resources& after,
                         int sign, instant now) {
  account(now);
  auto* tenant = !task.granted && task.tenant < tenants_.size() ? &tenants_[task.tenant] : nullptr;
  if (sign > 0) {
    used_ += task.demand;
    if (tenant != nullptr)
      tenant->now += task.demand;
  } else {
    used_ -= task.demand;
    if (tenant != nullptr)
      tenant->now -= task.demand;
  }
  move_stranded(before, after);
}

void usage_meter::move_stranded(const resources& before, const resources& after) {
  if (!strands_)
    return;
  if (!before.fits(fragment_))
    stranded_ -= before;
  if (!after.fits(fragment_))
    stranded_ += after;
}

void usage_meter::resize(const resources& by, const resources& unused, instant now) {
  account(now);
  resized_ = true;
  capacity_ += by;
  move_stranded(unused, unused + by);
}

void usage_meter::write(queue_counts& to, instant now) {
  account(now);
  to.used_seconds = used_seconds_;
  to.seconds = weight_ * (to_seconds(now - from_) - empty_seconds_);
  to.resources = uses_;
  to.tenants = tenants_;
}

} // namespace troupe
