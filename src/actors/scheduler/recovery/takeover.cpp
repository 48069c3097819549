#include "actors/scheduler/recovery/takeover.hpp"

#include <utility>

namespace troupe {

namespace {

/// Returns whether any task of a job is known to run.
bool has_started(const kept_job& left, const std::map<task_id, machine_id>& running) {
  const auto first = running.lower_bound({left.what.id, 0});
  return first != running.end() && first->first.job == left.what.id;
}

} // namespace

void takeover::hear(const owner_statement& statement) {
  auto& known = tables_.failover->statements[statement.owner];
  if (statement.session > known.session)
    known = statement;
  go_on();
}

void takeover::deliver(const job_delivery& what) {
  for (auto& next : tables_.failover->take(what)) {
    if (!tables_.failover->taking_over()) {
      for (auto& j : next.jobs)
        intake_.submit(std::move(j.what));
      continue;
    }
    auto& left = tables_.failover->left;
    left.insert(left.end(), next.jobs.begin(), next.jobs.end());
    if (next.resumed)
      tables_.failover->handed_over(next.store);
    go_on();
  }
}

void takeover::go_on() {
  if (!tables_.failover->told_all())
    return;
  tables_.failover->taken_over();
  place_running();
  resume_jobs();
  begin_sessions();
  tables_.charged.note_gain();
}

void takeover::place_running() {
  auto& books = *tables_.failover;
  for (const auto& [owner, statement] : books.statements) {
    if (!statement.unknown.empty())
      books.partial.insert(owner);
    for (const auto& r : statement.running)
      books.running[r.task] = r.machine;
    for (const auto& e : statement.ended)
      books.running[e.task] = e.machine;
  }
}

void takeover::resume_jobs() {
  auto& books = *tables_.failover;
  for (auto& left : std::exchange(books.left, {}))
    if (books.partial.empty() || has_started(left, books.running))
      intake_.resume(left);
    else
      books.left.push_back(std::move(left));
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
