#include "runtime/recording.hpp"

#include <algorithm>
#include <map>

using namespace troupe;
using namespace troupe::test;

// Jobs of which only so many tasks run at a time, in whole runs.
namespace {

/// The most tasks of one job that run at a time.
std::size_t most_at_once(const record_batch& records) {
  std::map<job_id, std::vector<std::pair<instant, int>>> changes;
  for (const auto& t : records.tasks) {
    if (t.at.started == no_instant || t.at.ended == no_instant)
      continue;
    changes[t.task.job].emplace_back(t.at.started, 1);
    changes[t.task.job].emplace_back(t.at.ended, -1);
  }
  int most = 0;
  for (auto& [_, all] : changes) {
    std::ranges::sort(all); // ends come first
    int now = 0;
    for (const auto& [at, change] : all)
      most = std::max(most, now += change);
  }
  return static_cast<std::size_t>(most);
}

} // namespace

TEST_CASE("no more tasks of an array run at a time than its limit, in every architecture") {
  for (const std::string architecture :
       {"monolithic", "static", "parsync", "statesync", "two-level"})
    for (const std::string discipline : {"fit", "fcfs", "easy", "conservative"}) {
      if (architecture == "two-level" && discipline != "fit")
        continue;
      for (const std::size_t limit : {1, 4}) {
        CAPTURE(architecture);
        CAPTURE(discipline);
        CAPTURE(limit);
        const auto made = run_recorded(
          busy_config, {"architecture=" + architecture, "scheduler.discipline=" + discipline,
                        "workload.array_limit=" + std::to_string(limit), "duration=0s",
                        "workload.tasks_per_job={value=9}"});
        check_passed(made.results);
        const auto summary = summary_of(made.results);
        CHECK(summary.at("tasks").at("finished") == summary.at("tasks").at("submitted"));
        CHECK(most_at_once(made.records) == limit);
      }
    }
}

TEST_CASE("without a limit, all tasks of a job may run at a time") {
  const auto made = run_recorded(busy_config, {"duration=0s", "workload.tasks_per_job={value=9}"});
  check_passed(made.results);
  CHECK(most_at_once(made.records) > 4);
}

TEST_CASE("an array of which a task has to give way keeps its limit") {
  const auto made =
    run_recorded(preempting_config, {"duration=0s", "groups.0.workload.array_limit=2",
                                     "groups.0.workload.tasks_per_job={value=5}"});
  check_passed(made.results);
  record_batch low;
  std::ranges::copy_if(made.records.tasks, std::back_inserter(low.tasks),
                       [](const task_record& t) { return t.group == 0; });
  CHECK(most_at_once(low) == 2);
}
