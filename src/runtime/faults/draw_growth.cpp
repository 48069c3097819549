#include "runtime/faults/draw_growth.hpp"

#include "model/base/random.hpp"
#include "runtime/cluster/traced_cluster.hpp"

#include <algorithm>
#include <chrono>

namespace troupe {

namespace {

constexpr duration longest_break = std::chrono::seconds{1};

class growth_maker {
public:
  explicit growth_maker(const run_settings& settings)
    : settings_(settings),
      machines_(build_machines(settings).machines),
      random_(random_stream::derive(settings.seed, "growth", 0)) {}

  growth_plan make() {
    growth_plan plan;
    for (machine_id m = 0; m < machines_.machines(); ++m)
      plan.at.push_back(stays_at(m));
    return plan;
  }

private:
  std::vector<growth_plan::stay> stays_at(machine_id place) {
    std::vector<growth_plan::stay> stays;
    machine_description is;
    bool rested = true;
    auto now = instant{0} + below(settings_.chaos.window);
    while (now < instant{0} + settings_.chaos.window) {
      if (rested)
        is.attributes = machines_.attributes_of(any_machine());
      is.capacity = part_of(machines_.machine(place).capacity);
      const auto length = below(settings_.chaos.longest);
      const auto drained = random_.below(3) == 0 ? below(length) : duration{0};
      stays.push_back({now, now + length, is, drained});
      rested = random_.below(3) == 0;
      now += length + below(longest_break) +
             (rested ? settings_.failures.place_rest() : duration::zero());
    }
    const auto last =
      stays.empty() ? now : std::max(now, stays.back().to + settings_.failures.place_rest());
    stays.push_back({last,
                     instant::max(),
                     {machines_.machine(place).capacity, machines_.attributes_of(place)},
                     duration{0}});
    return stays;
  }

  /// A quarter, a half, three quarters or all of each resource, at least one unit.
  resources part_of(const resources& whole) {
    const auto quarters = static_cast<std::int32_t>(1 + random_.below(4));
    auto part = whole;
    for (auto& amount : part.amount)
      if (amount > 0)
        amount = std::max(1, amount / 4 * quarters + amount % 4 * quarters / 4);
    return part;
  }

  machine_id any_machine() { return static_cast<machine_id>(random_.below(machines_.machines())); }

  /// At least 1 ms.
  duration below(duration limit) {
    return std::chrono::milliseconds{1} + duration{static_cast<std::int64_t>(random_.below(
                                            static_cast<std::uint64_t>(limit.count())))};
  }

  const run_settings& settings_;
  catalog machines_;
  random_stream random_;
};

} // namespace

growth_plan draw_growth(const run_settings& settings) {
  return growth_maker{settings}.make();
}

} // namespace troupe
