#include "actors/plugin/owners/plugin_commit_sender.hpp"

namespace troupe {

void plugin_commit_sender::send(owner_id owner, const plugin_commit& commit) {
  auto request = commit.what;
  const auto& pending = tables_.commits.pending(owner);
  request.answered_below = pending.empty() ? request.id : pending.front().what.id;
  request.reports_seen = tables_.failover.safe(owner);
  sent_.emplace_back(owner, std::move(request));
}

void plugin_commit_sender::send_anew(owner_id owner, plugin_commit commit, instant now) {
  commit.what.id = tables_.commits.renumber(owner);
  commit.sent = now;
  send(owner, tables_.commits.add(owner, std::move(commit)));
}

bool plugin_commit_sender::is_overdue(const plugin_commit& commit, instant now) const {
  return now - commit.sent >= tables_.setup.rules.commit_timeout;
}

void plugin_commit_sender::repeat(instant now) {
  for (owner_id o = 0; o < tables_.commits.owners(); ++o) {
    for (auto& c : tables_.commits.pending(o))
      if (is_overdue(c, now)) {
        c.sent = now;
        send(o, c);
        ++tables_.own_sample().retransmits;
      }
    for (auto& [_, c] : tables_.commits.held(o))
      if (is_overdue(c, now)) {
        c.sent = now;
        send(o, c);
      }
  }
}

} // namespace troupe
