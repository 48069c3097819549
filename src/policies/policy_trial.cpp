#include "policies/policy_trial.hpp"

#include "policies/placement_check.hpp"

#include <algorithm>

namespace troupe {

catalog slot_machines(std::uint32_t machines, std::int32_t slots, std::uint32_t partitions) {
  std::vector<machine_info> all(machines, {resources::of_slots(slots)});
  return {std::move(all), {{"default", {}}}, partitions, resources::of_slots(1)};
}

catalog machines_with(const std::vector<resources>& capacities, const resources& unit) {
  std::vector<machine_info> all;
  for (const auto& capacity : capacities)
    all.push_back({capacity});
  return {std::move(all), {{"default", {}}}, 1, unit};
}

resources cpu_and_memory(std::int32_t milli_cpu, std::int32_t mib) {
  resources r;
  r[resource::cpu] = milli_cpu;
  r[resource::memory] = mib;
  return r;
}

std::vector<task_request> equal_tasks(std::uint32_t n, const resources& demand, job_id job) {
  std::vector<task_request> tasks;
  for (std::uint32_t i = 0; i < n; ++i)
    tasks.push_back({{job, i}, demand});
  return tasks;
}

std::size_t trial::count(machine_id machine) const {
  return static_cast<std::size_t>(std::ranges::count(picks, std::optional{machine}));
}

trial run_trial(placement_policy& policy, view& seen, std::span<const task_request> tasks,
                std::uint64_t seed, instant now) {
  auto random = random_stream::derive(seed, "scheduler", 0);
  decision_context context{now, random};
  trial result;
  for (const auto& task : tasks) {
    const auto picked = policy.pick(seen, task, context);
    result.picks.push_back(picked);
    if (!picked)
      continue;
    if (auto problem = problem_with(seen, task, *picked); !problem.empty())
      result.problems.push_back("it picked " + problem);
    else
      seen.take(*picked, task.demand);
  }
  return result;
}

} // namespace troupe
