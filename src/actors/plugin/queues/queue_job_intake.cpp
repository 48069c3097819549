#include "actors/plugin/queues/queue_job_intake.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

void queue_job_intake::submit(std::vector<job> jobs) {
  if (tables_.records)
    for (const auto& j : jobs)
      tables_.records->submit(j);
  tables_.told.submit(tables_.books.add(std::move(jobs)));
}

void queue_job_intake::resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on) {
  const auto id = left.what.id;
  auto& jobs = tables_.books.jobs;
  std::vector<task_place> running;
  for (std::uint32_t i = 0; i < left.what.task_count(); ++i)
    if (const auto at = runs_on.find({id, i});
        at != runs_on.end() && !std::ranges::binary_search(left.over, i))
      running.push_back({{id, i}, at->second});
  tables_.books.count_left(left, running.size());
  if (tables_.records)
    tables_.records->resume(left, running);
  tables_.told.submit(
    jobs.resume(left, [&](const task_id& task) { return runs_on.contains(task); }));
  for (const auto& [task, machine] : running) {
    jobs.at(task).machine = machine;
    tables_.sent.add(task, machine);
  }
}

} // namespace troupe
