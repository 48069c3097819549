#include "model/explain/no_machine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace troupe {

namespace {

std::string amount_text(resource of, std::int32_t amount) {
  switch (of) {
  case resource::cpu:
    return fmt::format("{:g} {}", amount / 1000.0, amount == 1000 ? "core" : "cores");
  case resource::memory:
    return amount < 1024 ? fmt::format("{} MiB", amount)
                         : fmt::format("{:.4g} GiB", amount / 1024.0);
  case resource::gpu:
    return fmt::format("{:g} {}", amount / 1000.0, amount == 1000 ? "GPU" : "GPUs");
  case resource::slots:
    break;
  }
  return fmt::format("{} {}", amount, amount == 1 ? "slot" : "slots");
}

bool meets_all(const machine_description& m, const std::vector<constraint>& constraints) {
  return std::ranges::all_of(constraints,
                             [&](const constraint& c) { return meets(m.attributes, c); });
}

} // namespace

std::string why_no_machine(std::span<const machine_description> machines, const resources& demand,
                           const std::vector<constraint>& constraints) {
  if (machines.empty())
    return "no machine has joined";
  const auto none = [&](auto holds) { return std::ranges::none_of(machines, holds); };
  for (const auto& c : constraints)
    if (none([&](const machine_description& m) { return meets(m.attributes, c); }))
      return "no machine meets " + to_string(c);
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (const auto wanted = demand.amount[k];
        none([&](const machine_description& m) { return m.capacity.amount[k] >= wanted; }))
      return "no machine has " + amount_text(static_cast<resource>(k), wanted);
  if (none([&](const machine_description& m) {
        return m.capacity.fits(demand) && meets_all(m, constraints);
      }))
    return "no machine has all that it asks for at once";
  return "";
}

std::string why_no_room(std::span<const machine_description> machines, const resources& demand,
                        const std::vector<constraint>& constraints, std::uint32_t tasks) {
  if (demand == resources{})
    return "";
  std::uint64_t held = 0;
  for (const auto& m : machines)
    if (meets_all(m, constraints))
      held += static_cast<std::uint64_t>(times_fitting(m.capacity, demand));
  return held >= tasks ? ""
                       : fmt::format("all machines together hold {} of its {} tasks", held, tasks);
}

} // namespace troupe
