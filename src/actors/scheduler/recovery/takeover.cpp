#include "actors/scheduler/recovery/takeover.hpp"

#include <utility>

namespace troupe {

void takeover::hear(const owner_statement& statement) {
  auto& known = tables_.failover->statements[statement.owner];
  if (statement.session > known.session)
    known = statement;
  go_on();
}

void takeover::deliver(const job_delivery& what) {
  for (auto& next : tables_.failover->take(what)) {
    tables_.failover->withdrawn.insert(next.withdrawn.begin(), next.withdrawn.end());
    if (!tables_.failover->taking_over()) {
      for (auto& j : next.jobs)
        intake_.submit(std::move(j.what));
      continue;
    }
    tables_.failover->keep_left(next);
    go_on();
  }
}

void takeover::go_on() {
  if (!tables_.failover->told_all())
    return;
  resume_jobs();
  begin_sessions();
  tables_.charged.note_gain();
}

void takeover::resume_jobs() {
  auto& books = *tables_.failover;
  for (auto& left : books.take_over())
    intake_.resume(left);
  // Drop running tasks whose jobs are over: their ends come again.
  std::erase_if(books.running, [this](const auto& r) {
    return tables_.waiting.jobs().find_job(r.first.job) == nullptr;
  });
}

void takeover::begin_sessions() {
  auto& books = *tables_.failover;
  for (const auto& [owner, statement] : std::exchange(books.statements, {})) {
    tables_.capacities.state(statement);
    reports_.begin_session(owner, statement.session, reports_.take_kept(owner));
    for (const auto& e : statement.ended)
      locations_.end(e);
    reports_.statement_booked(owner);
  }
}

} // namespace troupe
