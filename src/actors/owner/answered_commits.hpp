#pragma once

#include "model/protocol/protocol.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace troupe {

/// The answers of an owner to the commits of one scheduler, kept until the scheduler acknowledges
/// them. A commit that arrives again gets its first answer and is not decided again. (The scheduler
/// repeats its commits; therefore the answers need no reliable channel.)
class answered_commits {
public:
  /// The number of the newest commit.
  commit_id latest() const { return latest_; }

  /// Forgets the answers to commits below a number: the scheduler has received them.
  void forget_below(commit_id number) {
    if (number <= below_)
      return;
    below_ = number;
    answers_.erase(answers_.begin(), answers_.lower_bound(number));
  }

  /// Returns the answer to a commit that was decided before, or nothing. The answer to a late copy
  /// of a commit whose answer was forgotten is empty; its scheduler ignores it.
  std::optional<commit_reply> find(owner_id owner, commit_id number) const {
    if (number < below_)
      return commit_reply{owner, number, {}};
    const auto known = answers_.find(number);
    return known == answers_.end() ? std::nullopt : std::optional{known->second};
  }

  void keep(const commit_reply& answer) {
    latest_ = std::max(latest_, answer.id);
    answers_.emplace_hint(answers_.end(), answer.id, answer);
  }

private:
  commit_id latest_ = 0;
  commit_id below_ = 0;
  std::map<commit_id, commit_reply> answers_;
};

} // namespace troupe
