#pragma once

#include "model/offers.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace troupe {

/// What an owner has to tell the allocator: in numbered reports that are kept, and sent again on
/// demand, until the allocator has seen them.
class capacity_outbox {
public:
  explicit capacity_outbox(owner_id owner) : owner_(owner) {}

  void freed(machine_id machine, scheduler_id framework, const resources& amount) {
    freed_.push_back({machine, framework, amount});
  }

  void changed(const machine_change& change) { changes_.push_back(change); }

  /// Begins to number from `base` on, and forgets what was not reported or not seen.
  void restart(std::uint64_t base) {
    reports_ = base;
    freed_.clear();
    changes_.clear();
    unseen_.clear();
  }

  /// The number of the latest report.
  std::uint64_t number() const { return reports_; }

  /// Returns a report of what no report has told yet, or nothing.
  std::optional<capacity_report> report(instant now) {
    if (freed_.empty() && changes_.empty())
      return std::nullopt;
    unseen_.push_back({now, {owner_, ++reports_, std::move(freed_), std::move(changes_)}});
    freed_.clear();
    changes_.clear();
    return unseen_.back().what;
  }

  /// Returns once more the reports that were sent before `sent_before` and not seen since.
  std::vector<capacity_report> unseen(instant sent_before, instant now) {
    std::vector<capacity_report> out;
    for (auto& sent : unseen_)
      if (sent.at < sent_before) {
        sent.at = now;
        out.push_back(sent.what);
      }
    return out;
  }

  bool has_unseen() const { return !unseen_.empty(); }

  /// Notes that the reports up to and including `number` have been seen.
  void seen(std::uint64_t number) {
    while (!unseen_.empty() && unseen_.front().what.number <= number)
      unseen_.pop_front();
  }

private:
  struct sent_report {
    instant at;
    capacity_report what;
  };

  owner_id owner_;
  std::uint64_t reports_ = 0;
  std::vector<freed_amount> freed_;
  std::vector<machine_change> changes_;
  std::deque<sent_report> unseen_;
};

} // namespace troupe
