#pragma once

#include "model/eligible_kinds.hpp"
#include "model/gang_room.hpp"
#include "model/job_book.hpp"
#include "model/spread_book.hpp"
#include "model/task_request.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// Where the waiting tasks of one scheduler may go and what they prefer: it turns what their jobs
/// ask for into requests, and keeps what that takes. Costs next to nothing for tasks that ask for
/// room only.
class placement_rules {
public:
  /// `machines` must outlive this. Where it does not heed `preferences`, every task is placed by
  /// the machines' own scores. Where `within` names partitions, the scheduler never looks at
  /// others.
  placement_rules(const catalog& machines, bool preferences,
                  std::span<const partition_id> within = {});

  /// Learns of a job before its first task is asked about. Throws `std::invalid_argument` if the
  /// catalog knows no such class of tasks.
  void submit(const job& accepted);

  /// Returns what a machine for the task is sought for. Holds until anything else is called here.
  task_request request(const waiting_task& task);

  /// Returns whether any machine that the scheduler looks at, idle, would do for a task.
  bool possible(const waiting_task& task);

  /// Returns what all tasks of a gang ask for together.
  gang_need need_of(const job& gang);

  /// Notes that a task of the job is to run on a machine, or that it does so no more.
  void enter(const job& of, machine_id m) {
    if (of.spread)
      spread_.add(of.id, m);
  }
  void leave(const job& of, machine_id m) {
    if (of.spread)
      spread_.remove(of.id, m);
  }

  /// Returns whether a task that was granted a machine should not be there: it does not meet the
  /// constraints, or holds another task of a job that spreads.
  bool violated(const waiting_task& task, machine_id m) const;

  /// The class of a task for which the machines have scores.
  std::uint32_t class_of(const waiting_task& task) const {
    return machines_->task_classes() > 1 ? task.in->task_class : 0;
  }

  /// Notes that no machine was found for a request in a view that has gained so often.
  void block(const task_request& request, std::uint64_t gains);

  /// Forgets what was blocked: another policy picks machines from now on.
  void unblock() { blocked_.clear(); }

  /// Returns whether no machine can be found for a request, as none was for one that asks for no
  /// more and nothing has become free since.
  bool blocked(const task_request& request, std::uint64_t gains) const;

private:
  /// Tasks that are alike: of one group of one job. A job that is over may leave its address to
  /// another one, but not its id.
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
  spread_book spread_;
  bool preferences_ = true;
  bool constrained_ = false; ///< a job with constraints has been submitted
  bool oversized_ = false;   ///< one has that asks for more than any of its machines has
  alike known_;              ///< whose kinds are at hand
  const kind_set* kinds_ = nullptr;
  bool possible_ = true;
  std::vector<unmet> blocked_;
  std::uint64_t blocked_gains_ = 0;
  std::uint64_t blocked_removals_ = 0;
};

} // namespace troupe
