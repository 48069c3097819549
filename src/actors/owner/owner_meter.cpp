#include "actors/owner/owner_meter.hpp"

#include <utility>

namespace troupe {

void owner_meter::integrate(const owned_partitions& of, instant now) {
  const auto elapsed = to_seconds(now - until_);
  until_ = now;
  if (const auto in_use = of.utilization()) {
    sample_.used_seconds += *in_use * elapsed;
    sample_.seconds += elapsed;
  }
  if (of.tenants() > 0) {
    const auto used = of.used_by_tenant();
    sample_.tenants.resize(used.size());
    for (std::size_t t = 0; t < used.size(); ++t)
      sample_.tenants[t].over.add(used[t], elapsed);
  }
  for (auto kind : of.machines().columns()) {
    const auto k = static_cast<std::size_t>(kind);
    std::int64_t capacity = 0;
    std::int64_t used = 0;
    std::int64_t stranded = 0;
    for (const auto& part : of) {
      capacity += part.capacity().amount[k];
      used += part.used().amount[k];
      stranded += part.stranded().amount[k];
    }
    sample_.resources[k].merge({static_cast<double>(capacity) * elapsed,
                                static_cast<double>(used) * elapsed,
                                static_cast<double>(stranded) * elapsed});
  }
}

owner_sample owner_meter::take(const owned_partitions& of, instant now) {
  advance(of, now);
  auto sample = std::exchange(sample_, {});
  const auto used = of.used_by_tenant();
  sample.tenants.resize(used.size());
  for (std::size_t t = 0; t < used.size(); ++t)
    sample.tenants[t].now = used[t];
  for (const auto& part : of) {
    sample.machines += part.present();
    sample.running += part.running();
    sample.capacity_weight += part.size();
  }
  return sample;
}

} // namespace troupe
