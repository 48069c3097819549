#pragma once

#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/offers.hpp"
#include "model/protocol/reliable_sender.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

inline std::size_t entries(const task_report& r) {
  return r.ends.size() + r.changes.size() + r.preempted.size();
}

inline std::size_t entries(const capacity_report& r) {
  return r.freed.size() + r.changes.size();
}

/// The reports of an owner to one receiver. News wait for the next report. Reports go over a
/// reliable channel: they are numbered, and sent again when their acknowledgement is overdue.
template <class Report>
class report_channel {
public:
  explicit report_channel(owner_id owner) : owner_(owner) {}

  /// The news for the next report. Its owner and its number are set when it is sent.
  Report next{};

  /// Starts a session: forgets all news and reports. Reports are numbered from `base` + 1.
  void restart(std::uint64_t base) {
    next = {};
    sent_.reset(session_of(base), base);
  }

  /// The number of the latest report.
  std::uint64_t number() const { return sent_.last(); }

  /// Returns a report of all news, or nothing if there are none.
  std::optional<Report> report(instant now) {
    if (entries(next) == 0)
      return std::nullopt;
    next.owner = owner_;
    next.number = number() + 1;
    sent_.put(std::exchange(next, {}));
    return std::move(sent_.next_new(now)->items.front());
  }

  /// Returns the reports whose acknowledgement is overdue, to be sent again.
  std::vector<Report> overdue(instant now, duration patience) {
    std::vector<Report> again;
    while (auto run = sent_.next(now, patience))
      std::ranges::move(run->items, std::back_inserter(again));
    return again;
  }

  bool has_unseen() const { return !sent_.empty(); }

  /// Calls `visit` for each report that is not known to have arrived.
  template <class Visit>
  void visit_unseen(Visit visit) const {
    for (std::size_t i = 0; i < sent_.size(); ++i)
      visit(sent_[i]);
  }

  /// Forgets the reports up to a number, which have arrived. Calls `visit` for each before.
  template <class Visit>
  void seen(std::uint64_t up_to, instant now, Visit visit) {
    if (session_of(up_to) != sent_.session())
      return;
    for (std::size_t i = 0; i < sent_.size() && sent_[i].number <= up_to; ++i)
      visit(sent_[i]);
    sent_.acknowledge(sent_.session(), up_to, now);
  }
  void seen(std::uint64_t up_to, instant now) {
    seen(up_to, now, [](const Report&) {});
  }

private:
  owner_id owner_;
  reliable_sender<Report> sent_{reliable_sender<Report>::pace::even};
};

} // namespace troupe
