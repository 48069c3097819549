#pragma once

#include "actors/sparrow/jobs/open_job.hpp"
#include "model/metrics/task_balance.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace troupe {

/// The jobs of a Sparrow scheduler that are not over, and the order in which it decides on them: by
/// priority, then as they came.
class open_jobs {
public:
  /// Takes a job in, which is to be decided on. Throws `std::invalid_argument` if it has no tasks,
  /// or is known already, or a group of it waits for one that is not before it.
  open_job& add(job what, machine_pools& pools);

  /// Takes the next job to decide on out of the order; null if there is none.
  open_job* decide_next();

  /// Ends the decision; null if its job is over meanwhile.
  open_job* decided();

  /// Nothing has to be decided on a job any more.
  void withdraw(const open_job& j) { undecided_.erase(place_of(j)); }

  /// Has a task of a job taken once more. If the job is abandoned, `take_put_back` names it.
  void put_back(open_job& j, std::uint32_t task) {
    j.put_back(task);
    if (j.abandoned)
      put_back_.insert(j.what.id);
  }

  /// Returns the abandoned jobs of which tasks wait again since the last call.
  std::set<job_id> take_put_back() { return std::exchange(put_back_, {}); }

  /// Drops a job that is over.
  void close(const open_job& j) { all_.erase(j.what.id); }

  open_job* find(job_id id) {
    const auto it = all_.find(id);
    return it == all_.end() ? nullptr : &it->second;
  }
  const open_job* find(job_id id) const {
    const auto it = all_.find(id);
    return it == all_.end() ? nullptr : &it->second;
  }

  /// Returns the job of a task; null if there is no such task.
  open_job* find(const task_id& task) {
    auto* j = find(task.job);
    return j != nullptr && task.index < j->tasks.size() ? j : nullptr;
  }
  const open_job* find(const task_id& task) const {
    const auto* j = find(task.job);
    return j != nullptr && task.index < j->tasks.size() ? j : nullptr;
  }

  bool contains(job_id id) const { return all_.contains(id); }
  bool empty() const { return all_.empty(); }

  /// How many are to be decided on.
  std::size_t undecided() const { return undecided_.size(); }

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

  /// Counts the tasks by their places.
  task_places places() const;

  /// Reports all tasks that run, with their machines.
  void visit_running(const std::function<void(const task_id&, machine_id)>& tell) const;

  /// Returns whether a task was sent to a machine where it runs, or may by now.
  bool may_run(const task_id& task, machine_id machine) const {
    const auto* j = find(task);
    return j != nullptr && j->tasks[task.index].is_on(machine);
  }

private:
  using place = std::pair<std::int64_t, std::uint64_t>; ///< priority, number of its submission

  static place place_of(const open_job& j) { return {-std::int64_t{j.what.priority}, j.number}; }

  std::unordered_map<job_id, open_job> all_;
  std::map<place, job_id> undecided_;
  std::set<job_id> put_back_; ///< abandoned jobs of which tasks wait again
  std::uint64_t submissions_ = 0;
  std::optional<job_id> deciding_;
};

} // namespace troupe
