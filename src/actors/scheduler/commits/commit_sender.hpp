#pragma once

#include "actors/scheduler/commits/owner_reports.hpp"
#include "actors/scheduler/scheduler_tables.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace troupe {

/// Sends commits, and sends them again when an answer is overdue. The batch that was decided on is
/// cut into one commit for each owner, and one of its own for each part of a transaction that
/// stands or falls as one. A commit also tells its owner which reports it need not keep any more.
class commit_sender {
public:
  commit_sender(scheduler_tables& tables, const owner_reports& reports)
    : tables_(tables), reports_(reports) {}

  /// Sends the batch, which is empty then.
  std::vector<outgoing_commit> send_batch(instant now);

  /// Has a commit under way from now on, under the next number.
  outgoing_commit send(owner_id to, open_commit&& commit);

  /// Returns the commits that were sent before `now` - commit_timeout and are not answered, to be
  /// sent again.
  std::vector<outgoing_commit> send_overdue(instant now);

private:
  /// Sends the first placement of the batch that is in no commit yet, with the placements that
  /// belong to the same commit.
  outgoing_commit send_from(std::size_t first, instant now);

  outgoing_commit request(owner_id owner, const open_commit& commit) const {
    return {owner, tables_.commits.request(owner, commit, reports_.forgettable(owner))};
  }

  scheduler_tables& tables_;
  const owner_reports& reports_;
  static constexpr auto packed = std::numeric_limits<owner_id>::max();
  std::vector<owner_id> owners_; ///< scratch: of the batch's placements, `packed` if in a commit
};

} // namespace troupe
