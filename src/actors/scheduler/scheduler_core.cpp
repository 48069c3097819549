#include "actors/scheduler/scheduler_core.hpp"

#include "actors/scheduler/explain/open_reasons.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

void scheduler_core::check_balance() const {
#ifdef TROUPE_CHECKS
  if (!parts_->counters.balanced(parts_->waiting.jobs().blocked()))
    throw std::logic_error("the tasks of scheduler " + std::to_string(id()) + " do not balance");
#endif
}

// -- jobs and decisions -------------------------------------------------------------------------

void scheduler_core::submit(std::vector<job> jobs) {
  for (auto& j : jobs)
    parts_->intake.submit(std::move(j));
}

void scheduler_core::change_policy(std::unique_ptr<placement_policy> policy) {
  parts_->picker.change_policy(std::move(policy));
  parts_->charged.note_gain(); // it may find room for a gang where the other one did not
}

std::optional<duration> scheduler_core::decide(instant now, std::optional<instant> from) {
  parts_->ends.withdraw_jobs(now);
  const auto cost = parts_->decisions.decide(now, from);
  check_balance();
  return cost;
}

void scheduler_core::withdraw(instant now) {
  parts_->decisions.withdraw(now);
  check_balance();
}

// -- commits ------------------------------------------------------------------------------------

std::vector<scheduler_core::outgoing> scheduler_core::commit(instant now) {
  parts_->charged.seen().prefetch_fresh(); // the next decision follows
  parts_->counters.end_decision();
  return parts_->sender.send_batch(now);
}

const std::vector<scheduler_core::decided>* scheduler_core::find(owner_id owner,
                                                                 commit_id id) const {
  const auto* commit = std::as_const(parts_->commits).find(owner, id);
  return commit == nullptr ? nullptr : &commit->placements;
}

std::vector<scheduler_core::outgoing> scheduler_core::answer(const commit_reply& reply,
                                                             instant now) {
  auto settling = parts_->answers.book(reply, now);
  check_balance();
  return settling;
}

std::vector<scheduler_core::outgoing> scheduler_core::launch_told(instant now) {
  auto launching = parts_->answers.launch_told(now);
  check_balance();
  return launching;
}

std::uint64_t scheduler_core::report(const task_report& report) {
  catch_up();
  const auto seen = parts_->reports.receive(report);
  check_balance();
  return seen;
}

// -- failures -----------------------------------------------------------------------------------

void scheduler_core::watch_failures(incarnation_id incarnation, std::vector<std::uint32_t> stores,
                                    std::uint32_t retries) {
  const auto& setup = parts_->setup;
  parts_->failover.emplace(setup.id, incarnation, setup.owners(), std::move(stores), retries);
  parts_->commits.begin(incarnation);
  parts_->capacities.keep();
  if (incarnation > 1 && setup.learns_from_snapshots())
    parts_->charged.clear_all();
}

std::vector<scheduler_core::outgoing> scheduler_core::reconcile(const owner_statement& statement,
                                                                instant now) {
  if (statement.session <= session_of(reports_seen(statement.owner)))
    return {};
  if (parts_->failover->taking_over()) {
    parts_->earlier.hear(statement);
    check_balance();
    return {};
  }
  auto settling = parts_->sessions.begin_session(statement, now);
  check_balance();
  return settling;
}

void scheduler_core::deliver(const job_delivery& what, instant now) {
  parts_->earlier.deliver(what);
  parts_->ends.withdraw_jobs(now);
  check_balance();
}

bool scheduler_core::catch_up() {
  const bool grown = parts_->charged.note_growth();
  if (!parts_->rules.catch_up())
    return grown;
  parts_->charged.note_new_attributes();
  return true;
}

// -- where its tasks are ------------------------------------------------------------------------

bool scheduler_core::idle() const {
  return parts_->waiting.jobs().open_jobs() == 0 && (!failover() || failover()->left.empty());
}

std::uint64_t scheduler_core::under_way() const {
  return parts_->batch.size() + parts_->commits.placements() + parts_->transactions.refused();
}

task_places scheduler_core::places() const {
  task_places in{true, parts_->waiting.count(), under_way(), counts().running, {}};
  if (const auto* books = failover()) {
    in.running = books->running.size();
    in.stores = books->tallies();
  }
  return in;
}

// -- samples ------------------------------------------------------------------------------------

void scheduler_core::note_waiting(instant now) {
  auto& counters = parts_->counters;
  const waiting_visitor tell = [&](const job& of, instant since, std::uint32_t tasks) {
    counters.note_waiting(of.group, of.submitted, since, tasks, now);
  };
  const auto tell_task = [&](const waiting_task& t) { tell(*t.of, t.submitted, t.count()); };
  const auto tell_decided = [&](const decided& d) { tell_task(d.task); };
  parts_->waiting.visit_without_line(tell);
  if (const auto* line = parts_->waiting.line())
    line->visit_requests([&](const start_request& r) {
      counters.note_waiting(r.group, r.submitted, r.since, r.waiting, now);
    });
  std::ranges::for_each(parts_->batch, tell_decided);
  parts_->commits.visit(tell_decided);
  parts_->transactions.visit_refused(tell_task);
  parts_->waiting.jobs().visit_open(
    [&](std::uint32_t group, instant submitted) { counters.note_open(group, submitted, now); });
  if (!failover())
    return;
  // The jobs of an earlier incarnation wait until it is known which of their tasks run.
  for (const auto& left : failover()->left) {
    tell(left.what, left.what.submitted,
         left.what.task_count() - static_cast<std::uint32_t>(left.over.size()));
    counters.note_open(left.what.group, left.what.submitted, now);
  }
}

record_outbox* scheduler_core::recording(bool last) {
  auto* records = parts_->records();
  if (records != nullptr && last)
    for (const auto& d : parts_->batch)
      records->note_deciding(d.task.task);
  return parts_->recording.get();
}

record_book::reason_lookup scheduler_core::reasons() {
  return [known = std::make_shared<open_reasons>(*parts_)](const task_id& task) {
    return known->of(task);
  };
}

std::vector<std::uint16_t> scheduler_core::view_ages(instant now) const {
  constexpr std::int64_t most = 65535;
  std::vector<std::uint16_t> ages;
  if (!parts_->setup.learns_from_snapshots())
    return ages;
  ages.reserve(seen().partitions());
  for (partition_id p = 0; p < seen().partitions(); ++p) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(seen().age(p, now));
    ages.push_back(static_cast<std::uint16_t>(std::clamp<std::int64_t>(ms.count(), 0, most)));
  }
  return ages;
}

std::vector<group_sample> scheduler_core::take_samples(instant now) {
  auto& counters = parts_->counters;
  const auto& seen = parts_->charged.seen();
  counters.account_age(seen, now);
  counters.pass(now);
  note_waiting(now);
  // Partitions that nobody refreshes grow old as well.
  if (parts_->setup.learns_from_snapshots())
    counters.note_age(seen.greatest_age(now));
  return counters.take(now);
}

} // namespace troupe
