#pragma once

#include "actors/scheduler/scheduler_tables.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// Takes jobs in: new ones, whose tasks all wait, and those of an earlier incarnation of the
/// scheduler, some tasks of which run or are over.
class job_intake {
public:
  explicit job_intake(scheduler_tables& tables) : tables_(tables) {}

  void submit(job accepted) {
    tables_.rules.submit(accepted);
    const auto tasks = accepted.task_count();
    const auto group = accepted.group;
    const auto at = accepted.submitted;
    tables_.counters.enter(group, &task_counts::queued, tasks);
    ++tables_.counters.of(group).jobs_submitted;
    auto& jobs = tables_.waiting.jobs();
    const auto before = jobs.blocked();
    const auto id = accepted.id;
    jobs.submit(std::move(accepted));
    if (auto* records = tables_.records())
      records->submit(*jobs.find_job(id));
    tables_.counters.wait(group, at, static_cast<std::int64_t>(tasks - (jobs.blocked() - before)));
  }

  /// Takes in a job of an earlier incarnation. The failover books say where its tasks run; the
  /// other tasks wait, or may run if some owners do not know all their machines.
  void resume(kept_job& left) {
    auto& j = left.what;
    tables_.rules.submit(j);
    const auto found = look_up(left);
    const auto group = j.group;
    tables_.counters.enter(group, &task_counts::queued, found.waiting.size());
    tables_.counters.enter(group, &task_counts::running, found.placed.size() + found.unsure.size());
    const auto submitted = j.submitted;
    auto& jobs = tables_.waiting.jobs();
    const auto blocked = jobs.blocked();
    const auto id = j.id;
    jobs.resume(std::move(j), found.waiting, left.over, left.fate);
    if (auto* records = tables_.records())
      record_resumed(*records, *jobs.find_job(id), left, found);
    const auto ready = found.waiting.size() - (jobs.blocked() - blocked);
    tables_.counters.wait(group, submitted, static_cast<std::int64_t>(ready));
    for (const auto& at : found.placed)
      resume_running(at);
  }

  /// Charges a task that runs from before to its machine.
  void resume_running(const task_place& at) {
    const auto task = *tables_.waiting.jobs().find(at.task);
    tables_.counters.resume_run(at.task);
    tables_.rules.enter(*task.of, at.machine);
    if (tables_.setup.learns_from_own_tasks())
      tables_.charged.charge(at.machine, task);
    if (auto* line = tables_.waiting.line())
      line->resume_run(task, at.machine);
  }

private:
  /// Tasks of a job that is resumed.
  struct found_tasks {
    std::vector<std::uint32_t> waiting;
    std::vector<task_place> placed;
    std::vector<std::uint32_t> unsure; ///< may run
  };

  /// Records the known facts of a job that is resumed. The place of a task that may run is unknown.
  void record_resumed(record_book& records, const job& resumed, const kept_job& left,
                      const found_tasks& found) const {
    records.submit(resumed);
    records.close_before(resumed.id, left.over, left.fate);
    for (const auto& at : found.placed)
      records.run_before(at.task, at.machine);
    for (const auto i : found.unsure)
      records.run_before({resumed.id, i}, no_machine);
  }

  found_tasks look_up(const kept_job& left) {
    found_tasks found;
    auto& books = *tables_.failover;
    const auto id = left.what.id;
    const auto tasks = left.what.task_count();
    auto over = left.over.begin();
    for (std::uint32_t i = 0; i < tasks; ++i) {
      if (over != left.over.end() && *over == i) {
        ++over;
        books.running.erase({id, i});
      } else if (const auto at = books.running.find({id, i}); at != books.running.end()) {
        found.placed.push_back({at->first, at->second});
      } else if (!books.partial.empty()) {
        books.running[{id, i}] = failover_books::somewhere;
        books.unsure.emplace(task_id{id, i}, left.what.submitted);
        found.unsure.push_back(i);
      } else {
        found.waiting.push_back(i);
      }
    }
    return found;
  }

  scheduler_tables& tables_;
};

} // namespace troupe
