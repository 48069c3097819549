#pragma once

#include "model/cluster/eligible_kinds.hpp"
#include "model/jobs/gang_room.hpp"
#include "model/jobs/job_book.hpp"
#include "model/jobs/task_request.hpp"
#include "model/view/anti_affinity_book.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// Converts the constraints and preferences of waiting tasks into requests for machines, and keeps
/// the state that this requires. Costs almost nothing for tasks that only ask for room.
class placement_rules {
public:
  /// `machines` must outlive this. If `preferences` is false, all tasks are placed by the machines'
  /// own scores. If `within` names partitions, the scheduler never uses others.
  placement_rules(const catalog& machines, bool preferences,
                  std::span<const partition_id> within = {});

  /// Must be called for a job before the first request for its tasks. Throws
  /// `std::invalid_argument` if the catalog has no such class of tasks.
  void submit(const job& accepted);

  /// Returns the requirements for a machine for the task. Valid until the next call of any function
  /// here.
  task_request request(const waiting_task& task);

  /// Returns whether any machine that the scheduler may use could hold a task if it were idle.
  bool possible(const waiting_task& task);

  /// Returns the resources that the tasks of a gang need together.
  gang_need need_of(const job& gang);

  /// Records that a task of the job is to run on a machine, or no longer does.
  void enter(const job& of, machine_id m) {
    if (of.spread)
      spread_.add(of.id, m);
  }
  void leave(const job& of, machine_id m) {
    if (of.spread)
      spread_.remove(of.id, m);
  }

  /// Returns whether a task was granted a machine in error: the machine does not meet the
  /// constraints, or holds another task of a job that spreads.
  bool violated(const waiting_task& task, machine_id m) const;

  /// Returns whether another task of a job that spreads is on a machine, or on its way there.
  bool is_on(const job& of, machine_id m) const {
    const auto* away = spread_.machines_of(of.id);
    return away != nullptr && away->contains(m);
  }

  /// The class of a task for which the machines have scores.
  std::uint32_t class_of(const waiting_task& task) const {
    return machines_->task_classes() > 1 ? task.in->task_class : 0;
  }

  /// Records that no machine was found for a request in a view with this count of gains.
  void block(const task_request& request, std::uint64_t gains);

  /// Takes note of machines that have joined a cluster that grows. Returns whether there are any
  /// since the last call, so that requests may find a machine that found none before.
  bool catch_up();

  /// Forgets blocked requests, because another policy picks machines from now on.
  void unblock() { blocked_.clear(); }

  /// Returns whether a request cannot find a machine: an earlier one that asked for no more found
  /// none, and nothing has become free since.
  bool blocked(const task_request& request, std::uint64_t gains) const;

private:
  /// Identifies tasks of one group of one job, which are equal. Another job may reuse the address
  /// of a job that is over, but not its id.
  struct alike {
    job_id job = 0;
    const task_group* in = nullptr;

    friend bool operator==(const alike&, const alike&) = default;
  };

  struct unmet {
    resources demand;
    const kind_set* kinds = nullptr;
    const machine_set* away = nullptr;
  };

  void look_up(const waiting_task& task);

  const catalog* machines_;
  eligible_kinds eligible_;
  anti_affinity_book spread_;
  bool preferences_ = true;
  bool constrained_ = false; ///< a job with constraints has been submitted
  bool oversized_ = false;   ///< a submitted job asks for more than any of its machines has
  alike known_;              ///< the tasks that `kinds_` belongs to
  const kind_set* kinds_ = nullptr;
  bool possible_ = true;
  std::vector<unmet> blocked_;
  std::uint64_t blocked_gains_ = 0;
  std::uint64_t blocked_removals_ = 0;
  std::uint64_t version_ = 0; ///< of what is known of machines
};

} // namespace troupe
