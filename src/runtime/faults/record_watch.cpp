#include "runtime/faults/record_watch.hpp"

#include "actors/protocol/messages.hpp"
#include "runtime/cluster/state_of.hpp"
#include "runtime/faults/member_audit.hpp"

#include <caf/type_erased_tuple.hpp>

namespace troupe {

std::vector<bool> kills_in(const run_settings& settings) {
  std::vector<bool> kills;
  for (const auto& group : settings.groups)
    kills.push_back(group.workload.kill_at_estimate);
  return kills;
}

record_watch::record_watch(const simulated_cluster& on, const run_settings& settings,
                           instant first_failure, first_violation& to)
  : cluster_(on),
    settings_(settings),
    first_failure_(first_failure),
    to_(to),
    records_(*on.machines(), kills_in(settings)) {}

void record_watch::hear(const caf::monitorable_actor& actor, const caf::type_erased_tuple& content,
                        instant now) {
  const bool asks = content.match_elements<commit_request>();
  const bool answers = content.match_elements<commit_reply>();
  if (!asks && !answers && !content.match_elements<owner_statement>())
    return;
  const auto* who = owner_or_scheduler(cluster_, actor);
  if (who == nullptr || asks != (who->what == role::owner))
    return;
  if (asks)
    truth().asked(who->number, content.get_as<commit_request>(0));
  else if (answers)
    truth().answered(who->number, content.get_as<commit_reply>(0), now);
  else
    truth().stated(content.get_as<owner_statement>(0), who->number, now);
}

void record_watch::disturb_if_failed(instant now) {
  if (now >= first_failure_)
    records_.disturb();
}

void record_watch::look_at(const simulated_cluster::process& who, const record_outbox* kept,
                           instant now) {
  if (kept == nullptr)
    return;
  if (who.number_of_incarnation > 1)
    records_.disturb();
  disturb_if_failed(now);
  if (const auto wrong = records_.look_at(who.number, who.number_of_incarnation, kept->book(), now))
    to_.fail(*wrong);
}

record_audit::totals record_watch::totals_of_stores() const {
  record_audit::totals all;
  for (const auto& [who, incarnations] : cluster_.incarnations()) {
    if (who.first != role::workload)
      continue;
    const auto* state = state_of<workload_actor, workload_state>(incarnations.back());
    if (state == nullptr)
      continue;
    all.tasks += state->store->tasks();
    for (std::size_t f = 0; f < task_fates; ++f) {
      all.tasks_by_fate[f] += state->store->tasks_by_fate()[f];
      all.jobs_by_fate[f] += state->store->jobs_by_fate()[f];
    }
  }
  return all;
}

void record_watch::check_end(instant now) {
  disturb_if_failed(now);
  for (const auto& [who, incarnations] : cluster_.incarnations()) {
    const auto& last = incarnations.back();
    if (who.first != role::scheduler || last.number_of_incarnation > 1)
      continue;
    if (const auto books = scheduler_books::of(last, settings_))
      if (const auto wrong = records_.compare(who.second, books->counters()))
        to_.fail(*wrong);
  }
  if (const auto wrong = records_.check_end(totals_of_stores()))
    to_.fail(*wrong);
}

} // namespace troupe
