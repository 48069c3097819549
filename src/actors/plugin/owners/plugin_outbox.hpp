#pragma once

#include "actors/protocol/messages.hpp"

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace troupe {

/// The messages for a plugin of the protocol `owners`, in their order. The outbox collects the ends
/// of tasks and the changes of machines for each owner, and numbers the reports from 1.
class plugin_outbox {
public:
  using message = std::variant<submission, commit_reply, sync_update, task_report>;

  explicit plugin_outbox(std::size_t owners) : reports_(owners) {}

  void tell(message what) {
    ++told_;
    messages_.push_back(std::move(what));
  }

  /// Submits jobs, if there are any.
  void submit(std::vector<job> jobs) {
    if (!jobs.empty())
      tell(submission{std::move(jobs)});
  }

  /// The next report of an owner. Only its ends, changes and preempted tasks are to be filled.
  task_report& next_report(owner_id owner) { return reports_.at(owner).next; }

  /// Sends the next report of an owner also if it is empty.
  void send_report(owner_id owner) { reports_.at(owner).due = true; }

  /// Returns the messages since the last call; the collected reports are the last ones.
  std::vector<message> take() {
    for (owner_id o = 0; o < reports_.size(); ++o) {
      auto& [next, number, due] = reports_[o];
      if (!std::exchange(due, false) && next.ends.empty() && next.changes.empty() &&
          next.preempted.empty())
        continue;
      next.owner = o;
      next.number = ++number;
      tell(std::exchange(next, {}));
    }
    return std::exchange(messages_, {});
  }

  /// Counts the messages. A report counts once it is taken.
  std::uint64_t told() const { return told_; }

private:
  struct entry {
    task_report next{};
    std::uint64_t number = 0; ///< of the latest report
    bool due = false;         ///< it is sent also if it is empty
  };

  std::vector<entry> reports_; ///< by owner
  std::vector<message> messages_;
  std::uint64_t told_ = 0;
};

} // namespace troupe
