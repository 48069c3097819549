#include "policies/registry.hpp"

#include "policies/adaptive.hpp"
#include "policies/latency_first.hpp"
#include "policies/quality_first.hpp"
#include "policies/random_fit.hpp"
#include "policies/scan_fit.hpp"

namespace troupe {

std::span<const policy_info> builtin_policies() {
  static constexpr policy_info all[] = {
    {"adaptive", "quality-first while the smoothed scheduling delay is at most tau, else "
                 "latency-first"},
    {"best-fit",
     "the machine that the task leaves the least room on; looks at all, or policy.scan"},
    {"latency-first", "the most recently refreshed partitions first, by score within them"},
    {"quality-first", "the partition with the highest mean score of free slots, by score within"},
    {"random-fit", "any machine that is believed to have room, each free slot alike"},
    {"worst-fit", "the machine that the task leaves the most room on; looks at all, or "
                  "policy.scan"},
  };
  return all;
}

std::unique_ptr<placement_policy> make_policy(std::string_view name,
                                              const policy_parameters& parameters) {
  if (name == "adaptive")
    return std::make_unique<adaptive>(parameters.tau, parameters.ema_weight);
  if (name == "best-fit")
    return std::make_unique<scan_fit>(fit_order::tightest, parameters.scan);
  if (name == "latency-first")
    return std::make_unique<latency_first>();
  if (name == "quality-first")
    return std::make_unique<quality_first>();
  if (name == "random-fit")
    return std::make_unique<random_fit>();
  if (name == "worst-fit")
    return std::make_unique<scan_fit>(fit_order::roomiest, parameters.scan);
  return nullptr;
}

} // namespace troupe
