#pragma once

#include "actors/scheduler/commits/commit_sender.hpp"
#include "actors/scheduler/commits/owner_reports.hpp"
#include "actors/scheduler/commits/placement_results.hpp"
#include "actors/scheduler/decisions/machine_picker.hpp"
#include "actors/scheduler/queue/task_retries.hpp"
#include "actors/scheduler/scheduler_tables.hpp"
#include "actors/scheduler/view/view_updates.hpp"

#include <vector>

namespace troupe {

/// Books the answers of owners to commits. A commit whose placements stand alone is booked at once.
/// A transaction that stands or falls as one waits for the answers of all owners that hold a part;
/// then every part is launched or released.
class commit_answers {
public:
  commit_answers(scheduler_tables& tables, machine_picker& picker, commit_sender& sender,
                 placement_results& results, view_updates& updates, task_retries& retries,
                 owner_reports& reports)
    : tables_(tables),
      picker_(picker),
      sender_(sender),
      results_(results),
      updates_(updates),
      retries_(retries),
      reports_(reports) {}

  /// Books an answer, if its commit is waiting for one. Returns the commits that grant or
  /// release placements that owners hold for a transaction, once all owners have answered.
  std::vector<outgoing_commit> book(const commit_reply& reply, instant now);

  /// A job store may have received the widths of jobs. Returns the commits that launch their tasks.
  std::vector<outgoing_commit> launch_told(instant now);

private:
  void divert(open_commit& commit, const commit_reply& reply, instant now);
  void book_each(const open_commit& commit, const commit_reply& reply, instant now);
  void refuse_each(const open_commit& commit, const commit_reply& reply, instant now);
  void book_together(const open_commit& commit, const commit_reply& reply, instant now);
  void note_mark(std::vector<refresh_mark>& marks, const decided_placement& d,
                 const rejection& why) const;
  std::vector<outgoing_commit> vote(std::uint64_t number, instant now);
  std::vector<outgoing_commit> settle(std::uint64_t number, instant now);

  scheduler_tables& tables_;
  machine_picker& picker_;
  commit_sender& sender_;
  placement_results& results_;
  view_updates& updates_;
  task_retries& retries_;
  owner_reports& reports_;
  std::vector<std::uint64_t> for_store_; ///< transactions held until the job store knows a width
  std::vector<waiting_task> again_;      ///< scratch: refused tasks of one transaction
  std::vector<refresh_mark> marks_;      ///< scratch: marks that they wait for
};

} // namespace troupe
