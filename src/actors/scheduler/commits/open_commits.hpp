#pragma once

#include "actors/scheduler/decisions/decided_batch.hpp"
#include "model/protocol/protocol.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace troupe {

/// A commit and the owner that it goes to.
using outgoing_commit = std::pair<owner_id, commit_request>;

/// A commit that its owner has not settled.
struct open_commit {
  commit_id id = 0;
  instant sent{0};
  bool sent_again = false;
  std::vector<decided_placement> placements;
  commit_mode mode = commit_mode::each;
  commit_id settles = 0;
  bool held = false;        ///< the owner has answered that it holds this
  bool charged = true;      ///< to the tenants: the owner has not told of it since
  std::uint32_t offers = 0; ///< the incarnation of the allocator that offered the machines

  /// The commit that its placements are charged with at the owner.
  commit_id charged_by() const { return settles > 0 ? settles : id; }

  /// Returns whether an owner that has seen commits up to `seen` may not have seen this one.
  bool is_unseen(commit_id seen) const { return charged_by() > seen || sent_again; }

  /// The transaction that it is a part of, if it stands or falls as one.
  std::uint64_t transaction() const { return placements.front().transaction; }
};

/// The commits under way, by owner. Each is kept from when it is sent until its owner's answer has
/// been booked, and is sent again while no answer comes.
class open_commits {
public:
  /// With `estimates`, placements carry those of their tasks: owners compare them with windows.
  open_commits(scheduler_id scheduler, std::size_t owners, bool estimates = false)
    : scheduler_(scheduler), estimates_(estimates), all_(owners) {}

  /// Begins incarnation `number` of the scheduler: its commits have higher numbers than those of
  /// all incarnations before.
  void begin(std::uint32_t number) { last_ = std::uint64_t{number} << 40; }

  /// Returns the number of the next commit.
  commit_id next_id() { return ++last_; }

  /// Returns the last one.
  commit_id last_id() const { return last_; }

  open_commit& add(owner_id owner, open_commit commit) {
    return all_[owner].emplace_back(std::move(commit));
  }

  /// The commits to an owner, in the order of their numbers.
  std::deque<open_commit>& of(owner_id owner) { return all_[owner]; }
  const std::deque<open_commit>& of(owner_id owner) const { return all_[owner]; }

  /// Returns a commit, or null. Throws `std::out_of_range` if there is no such owner.
  open_commit* find(owner_id owner, commit_id id);
  const open_commit* find(owner_id owner, commit_id id) const;

  /// Takes a commit out that is here.
  open_commit take(owner_id owner, commit_id id);

  /// Takes out the part of a transaction that an owner holds.
  open_commit take_held(owner_id owner, std::uint64_t transaction);

  /// Returns the message for a commit. The owner may forget its reports up to `reports_seen`.
  commit_request request(owner_id owner, const open_commit& commit,
                         std::uint64_t reports_seen) const;

  /// Calls `again(owner, commit)` for each commit that was sent before `now` - `timeout`.
  template <class Again>
  void visit_overdue(instant now, duration timeout, Again again) {
    for (owner_id o = 0; o < all_.size(); ++o)
      for (auto& c : all_[o])
        if (now - c.sent >= timeout)
          again(o, c);
  }

  /// Counts the placements of all commits.
  std::uint64_t placements() const;

  /// Returns whether a task is in a commit to any owner.
  bool awaits_answer(const task_id& task) const;

  /// Returns whether any of the tasks that a report is about is in a commit to its owner.
  bool awaits_answer(const task_report& report) const;

  /// Calls `visit(placement)` for each placement of all commits.
  template <class Visit>
  void visit(Visit visit) const {
    for (const auto& commits : all_)
      for (const auto& c : commits)
        std::ranges::for_each(c.placements, visit);
  }

private:
  scheduler_id scheduler_;
  bool estimates_;
  std::vector<std::deque<open_commit>> all_; ///< by owner, then by number
  commit_id last_ = 0;
};

} // namespace troupe
