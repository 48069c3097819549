#pragma once

#include "settings/allowed.hpp"
#include "settings/settings.hpp"

#include <span>
#include <string_view>

namespace troupe {

/// What is said of one setting.
struct field_info {
  std::string_view name;
  std::string_view meaning;
  allowed values{};
  std::string_view unit{};
};

namespace choices {

inline constexpr std::string_view architectures[] = {
  "parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"};
inline constexpr std::string_view clocks[] = {"virtual", "real"};
inline constexpr std::string_view score_distributions[] = {"lognormal", "constant"};
inline constexpr std::string_view detections[] = {"fine", "coarse"};
inline constexpr std::string_view commits[] = {"incremental", "all-or-nothing"};
inline constexpr std::string_view retry_places[] = {"head", "back"};
inline constexpr std::string_view probings[] = {"random", "per-task", "batch", "late-binding"};
inline constexpr std::string_view queues[] = {"fifo", "priority", "fair"};
inline constexpr std::string_view sync_plans[] = {"partitioned", "full",   "same",
                                                  "exclusive",   "offers", "none"};
inline constexpr std::string_view sharings[] = {"none", "soft", "hard"};
inline constexpr std::string_view code_paths[] = {"single", "multi"};
inline constexpr std::string_view workloads[] = {"phases", "burst", "trace"};
inline constexpr std::string_view trace_formats[] = {
  "auto", "tr", "google2011", "alibaba2018", "alibaba2017", "swf", "openb"};
inline constexpr std::string_view unfinished[] = {"cut", "drop"};
inline constexpr std::string_view arrivals[] = {"constant", "poisson"};
inline constexpr std::string_view distributions[] = {"fixed", "exponential", "lognormal",
                                                     "quantiles"};

inline constexpr std::string_view watches[] = {"auto", "on", "off"};
inline constexpr std::string_view fault_kinds[] = {"kill", "freeze", "cut", "loss", "delay"};
inline constexpr std::string_view random_fault_kinds[] = {"kill", "freeze"};
inline constexpr std::string_view fault_roles[] = {"machine", "owner", "scheduler", "master"};
inline constexpr std::string_view lifetimes[] = {"exponential", "weibull"};

/// The names of all policies, those of plugins that are loaded included. Valid until one is loaded.
std::span<const std::string_view> policies();

/// The same of scheduler actors.
std::span<const std::string_view> scheduler_actors();

} // namespace choices

inline constexpr double max_schedulers = 100'000;
/// How often, at most, members talk to each other, work is handed over, and results are recorded.
inline constexpr std::chrono::microseconds least_period{100};
inline constexpr std::chrono::microseconds least_tick{1};
inline constexpr std::chrono::milliseconds least_interval{1};
inline constexpr double max_amount = 1'000'000; ///< of any resource in one machine or task

/// Members of `cluster_settings` that stand in a table of their own.
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
