#pragma once

#include "settings/schema/allowed.hpp"
#include "settings/schema/settings.hpp"

#include <span>
#include <string_view>

namespace troupe {

/// The description of one setting.
struct field_info {
  std::string_view name;
  std::string_view meaning;
  allowed values{};
  std::string_view unit{};
};

namespace choices {

/// The names of all policies, including those of loaded plugins. Valid until a plugin is loaded.
std::span<const std::string_view> policies();

/// The same for scheduler actors.
std::span<const std::string_view> scheduler_actors();

} // namespace choices

inline constexpr double max_schedulers = 100'000;
/// The shortest intervals at which members communicate, work is handed over, and results are
/// recorded.
inline constexpr std::chrono::microseconds least_period{100};
inline constexpr std::chrono::microseconds least_tick{1};
inline constexpr std::chrono::milliseconds least_interval{1};
inline constexpr double max_amount = 1'000'000; ///< of any resource in one machine or task

/// Members of `cluster_settings` that have their own table.
struct amounts_of {
  double& cpu;
  double& memory;
  double& gpu;
  std::int32_t& slots;
};

template <class Visitor, class Amounts>
void describe_amounts(Visitor& v, Amounts&& a) {
  v.field({"cpu", "CPU", between(0, max_amount), "cores"}, a.cpu);
  v.field({"memory", "memory", between(0, max_amount), "GiB"}, a.memory);
  v.field({"gpu", "GPU", between(0, max_amount), "cards"}, a.gpu);
  v.field({"slots", "slots", between(0, max_amount)}, a.slots);
}

template <class Visitor>
void describe(Visitor& v, amounts_of& s) {
  describe_amounts(v, s);
}

} // namespace troupe
