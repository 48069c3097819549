#include "jobs/service/jobs/queued_job.hpp"

#include "model/explain/no_machine.hpp"

#include <algorithm>

namespace troupe {

namespace {

std::string waits_for_text(const std::vector<std::uint64_t>& jobs) {
  std::string text = jobs.size() == 1 ? "waits for job " : "waits for jobs ";
  for (std::size_t i = 0; i < jobs.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(jobs[i]);
  return text;
}

} // namespace

queued_job queued_job_of(const live_job& job) {
  queued_job out;
  out.waits_for.assign(job.waits_for.begin(), job.waits_for.end());
  const auto& groups = job.spec.groups;
  for (const auto& g : groups)
    if (g.after.empty())
      out.groups.push_back({groups.size() > 1 ? g.name : std::string{}, g.demand(), g.constraints,
                            g.gang ? g.count : 0});
  return out;
}

std::string why_not_held(const resources& demand, const std::vector<constraint>& constraints,
                         std::uint32_t gang, const std::vector<machine_description>& machines) {
  auto why = why_no_machine(machines, demand, constraints);
  if (why.empty() && gang > 0)
    why = why_no_room(machines, demand, constraints, gang);
  return why;
}

std::string why_queued(const queued_job& job, const std::vector<machine_description>* machines,
                       const tenant_limit* limit) {
  if (!job.waits_for.empty())
    return waits_for_text(job.waits_for);
  if (machines == nullptr)
    return "";
  const auto in = [](const queued_job::group& g, const std::string& why) {
    return g.name.empty() ? why : "group " + g.name + ": " + why;
  };
  for (const auto& g : job.groups)
    if (const auto why = why_not_held(g.demand, g.constraints, g.gang, *machines); !why.empty())
      return in(g, why);
  if (limit == nullptr)
    return "";
  std::string over;
  for (const auto& g : job.groups) {
    over = why_over_maximum(*limit, g.demand, std::max(g.gang, 1U), *machines);
    if (over.empty()) // the tasks of this group wait for their turn
      return "";
  }
  return over;
}

} // namespace troupe
