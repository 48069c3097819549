#include "policies/placement_check.hpp"

namespace troupe {

std::string problem_with(const view& seen, const task_request& task, machine_id picked) {
  const auto& machines = seen.machines();
  const auto name = "machine " + std::to_string(picked);
  if (picked >= machines.machines())
    return name + " for task " + to_string(task.task) + ", and there are machines 0 to " +
           std::to_string(machines.machines() - 1) + " only";
  if (!seen.fits(picked, task.demand))
    return name + " for task " + to_string(task.task) + ", which asks for " +
           to_string(task.demand) + "; free there is " +
           (seen.hidden(machines.place_of(picked).partition) ? "nothing: its partition is hidden"
            : seen.free(picked).is_zero()                    ? "nothing"
                                                             : to_string(seen.free(picked)));
  if (!task.filter.admits(machines, picked))
    return name + " for task " + to_string(task.task) +
           ", which may not run there: the machine does not pass the task's filter";
  return {};
}

} // namespace troupe
