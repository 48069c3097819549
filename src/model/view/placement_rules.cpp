#include "model/view/placement_rules.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace troupe {

placement_rules::placement_rules(const catalog& machines, bool preferences,
                                 std::span<const partition_id> within)
  : machines_(&machines), eligible_(machines, within), preferences_(preferences) {}

void placement_rules::submit(const job& accepted) {
  for (const auto& group : accepted.groups) {
    constrained_ = constrained_ || !group.constraints.empty();
    oversized_ = oversized_ || !eligible_.any_holds(group.demand);
    if (group.task_class >= machines_->task_classes())
      throw std::invalid_argument("job " + std::to_string(accepted.id) + " is of task class " +
                                  std::to_string(group.task_class) + ", of " +
                                  std::to_string(machines_->task_classes()));
  }
}

void placement_rules::look_up(const waiting_task& task) {
  const alike wanted{task.task.job, task.in};
  eligible_.catch_up();
  if (known_ == wanted)
    return;
  known_ = wanted;
  kinds_ = &eligible_.of(task.in->constraints);
  possible_ = eligible_.any_holds(*kinds_, task.demand);
}

task_request placement_rules::request(const waiting_task& task) {
  task_request request{task.task, task.demand};
  if (preferences_)
    request.task_class = class_of(task);
  if (planted(planted_fault::ignored_constraints))
    return request;
  if (constrained_ && !task.in->constraints.empty()) {
    look_up(task);
    request.filter.kinds = kinds_;
  }
  if (task.of->spread)
    request.filter.away = spread_.machines_of(task.task.job);
  return request;
}

bool placement_rules::possible(const waiting_task& task) {
  if (machines_->grows()) // a machine may come that holds it
    return true;
  if (!oversized_ && (!constrained_ || task.in->constraints.empty()))
    return true;
  look_up(task);
  return possible_;
}

gang_need placement_rules::need_of(const job& gang) {
  gang_need need;
  need.spread = gang.spread;
  for (const auto& group : gang.groups) {
    need.parts.push_back({group.count, group.demand,
                          group.constraints.empty() ? nullptr : &eligible_.of(group.constraints)});
    for (std::size_t k = 0; k < resource_kinds; ++k)
      need.total.amount[k] += std::int64_t{group.count} * group.demand.amount[k];
  }
  return need;
}

bool placement_rules::violated(const waiting_task& task, machine_id m) const {
  if (task.of->spread && spread_.shares(task.task.job, m))
    return true;
  return constrained_ && !machines_->meets(machines_->machine(m).kind, task.in->constraints);
}

bool placement_rules::catch_up() {
  const auto before = std::exchange(version_, eligible_.catch_up());
  if (before == version_)
    return false;
  unblock();
  return true;
}

void placement_rules::block(const task_request& request, std::uint64_t gains) {
  if (blocked_gains_ != gains || blocked_removals_ != spread_.removals())
    blocked_.clear();
  blocked_gains_ = gains;
  blocked_removals_ = spread_.removals();
  blocked_.push_back({request.demand, request.filter.kinds, request.filter.away});
}

bool placement_rules::blocked(const task_request& request, std::uint64_t gains) const {
  return blocked_gains_ == gains && blocked_removals_ == spread_.removals() &&
         std::ranges::any_of(blocked_, [&](const unmet& u) {
           return u.kinds == request.filter.kinds && u.away == request.filter.away &&
                  request.demand.fits(u.demand);
         });
}

} // namespace troupe
