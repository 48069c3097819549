#include "policies/adaptive.hpp"
#include "policies/latency_first.hpp"
#include "policies/quality_first.hpp"
#include "policies/random_fit.hpp"
#include "policies/registry.hpp"
#include "policies/scan_fit.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

template <class Policy>
std::unique_ptr<placement_policy> make_plain(const setting_values&) {
  return std::make_unique<Policy>();
}

std::unique_ptr<placement_policy> make_adaptive(const setting_values& s) {
  return std::make_unique<adaptive>(s.get<duration>("tau"), s.get<double>("ema_weight"));
}

template <fit_order Order>
std::unique_ptr<placement_policy> make_scan(const setting_values& s) {
  return std::make_unique<scan_fit>(Order, s.get<std::uint32_t>("scan"));
}

const setting_info scan{.name = "scan",
                        .meaning = "number of machines looked at for a task, starting at a random "
                                   "one, and more if none of them has room; 0: all",
                        .standard = 0,
                        .min = 0,
                        .max = 10'000'000};

} // namespace

std::span<const policy_descriptor> builtin_policies() {
  static const std::vector<policy_descriptor> all = {
    {"adaptive",
     "quality-first while the smoothed scheduling delay is at most tau, else latency-first",
     {{.name = "tau",
       .meaning = "mean delay above which it acts as latency-first",
       .standard = milliseconds{1500},
       .min = 0,
       .above_min = true},
      {.name = "ema_weight",
       .meaning = "weight of the newest delay in the moving average",
       .standard = 0.1,
       .min = 0,
       .max = 1,
       .above_min = true}},
     make_adaptive},
    {"best-fit",
     "the machine with the least room left after the task; looks at all machines, or at "
     "policy.scan",
     {scan},
     make_scan<fit_order::tightest>},
    {"latency-first",
     "the most recently refreshed partitions first, by score within them",
     {},
     make_plain<latency_first>},
    {"quality-first",
     "the partition with the highest mean score of free slots, by score within",
     {},
     make_plain<quality_first>},
    {"random-fit",
     "any machine that is believed to have room, with equal probability for each free slot",
     {},
     make_plain<random_fit>},
    {"worst-fit",
     "the machine with the most room left after the task; looks at all machines, or at policy.scan",
     {scan},
     make_scan<fit_order::roomiest>},
  };
  return all;
}

} // namespace troupe
