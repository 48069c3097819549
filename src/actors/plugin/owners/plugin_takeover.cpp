#include "actors/plugin/owners/plugin_takeover.hpp"

#include <utility>

namespace troupe {

void plugin_takeover::hear(const owner_statement& statement) {
  auto& known = tables_.failover.statements[statement.owner];
  if (statement.session > known.session)
    known = statement;
  go_on();
}

void plugin_takeover::deliver(const job_delivery& what) {
  for (const auto& next : tables_.failover.take(what)) {
    if (!tables_.failover.taking_over()) {
      intake_.submit(next.jobs);
      continue;
    }
    tables_.failover.keep_left(next);
    go_on();
  }
}

void plugin_takeover::go_on() {
  if (!tables_.failover.told_all())
    return;
  resume_jobs();
  begin_sessions();
}

void plugin_takeover::resume_jobs() {
  auto& failover = tables_.failover;
  for (auto& left : failover.take_over())
    intake_.resume(std::move(left));
  // Drop running tasks whose jobs are over: their ends come again.
  std::erase_if(failover.running,
                [this](const auto& r) { return tables_.books.jobs.find(r.first.job) == nullptr; });
}

void plugin_takeover::begin_sessions() {
  for (const auto& [owner, statement] : std::exchange(tables_.failover.statements, {})) {
    room_.state(statement);
    reports_.begin_session(owner, statement.session);
    for (const auto& e : statement.ended)
      locations_.end(e);
    reports_.statement_booked(owner);
  }
}

} // namespace troupe
