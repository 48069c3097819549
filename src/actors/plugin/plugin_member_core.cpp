#include "actors/plugin/plugin_member_core.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

void plugin_member_core::check_balance() const {
#ifdef TROUPE_CHECKS
  if (!counters().balanced())
    throw std::logic_error("the tasks of scheduler " + std::to_string(parts_.setup.rules.id) +
                           " do not balance");
#endif
}

void plugin_member_core::refresh(sync_update update) {
  update.commits_seen = parts_.commits.plugin_number(update.owner, update.commits_seen);
  if (parts_.records)
    parts_.records->refresh(update);
  parts_.told.tell(std::move(update));
}

void plugin_member_core::reconcile(const owner_statement& statement, instant now) {
  if (statement.session <= session_of(parts_.reports.seen(statement.owner)))
    return;
  if (parts_.failover.taking_over())
    parts_.earlier.hear(statement);
  else
    parts_.sessions.begin_session(statement, now);
}

void plugin_member_core::catch_up() {
  const auto& growth = parts_.setup.machines.growth();
  if (growth && std::exchange(growth_, growth->version()) != growth_)
    parts_.told.send_report(0);
}

void plugin_member_core::repeat(instant now) {
  parts_.answers.answer_empty(now);
  parts_.sender.repeat(now);
}

std::vector<plugin_member_core::plugin_message> plugin_member_core::take_told() {
  auto told = parts_.told.take();
  check_balance();
  return told;
}

task_places plugin_member_core::places() const {
  using place = plugin_jobs::place;
  return {true, jobs().count(place::held) + jobs().count(place::queued), under_way(),
          parts_.failover.running.size(), parts_.failover.tallies()};
}

} // namespace troupe
