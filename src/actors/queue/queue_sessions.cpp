#include "actors/queue/queue_sessions.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace troupe {

namespace {

/// Makes the executor report nothing to the scheduler, since the session does.
queue_order told_by_session(queue_order order) {
  if (auto* entry = std::get_if<queue_entry>(&order))
    entry->order.by_scheduler = false;
  if (auto* answer = std::get_if<task_assignment>(&order))
    answer->order.by_scheduler = false;
  return order;
}

} // namespace

queue_sessions::queue_sessions(const queue_session_rules& rules, queue_server& serves)
  : rules_(rules), serves_(&serves) {
  sessions_.reserve(rules.schedulers);
  for (scheduler_id s = 0; s < rules.schedulers; ++s)
    sessions_.emplace_back(rules.incarnation);
  limits_.resize(rules.schedulers);
}

/// To be called after each change to the session of a scheduler, or to its entries.
void queue_sessions::note_change(scheduler_id scheduler) {
  limits_.set(scheduler, limit(scheduler));
  auto& with = sessions_[scheduler];
  if (with.is_due() && !with.is_listed()) {
    with.note_listed(true);
    due_.push_back(scheduler);
  }
}

void queue_sessions::note_changes() {
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    note_change(s);
}

/// In builds with TROUPE_CHECKS: throws `std::logic_error` if a change was not noted.
void queue_sessions::check_notes() const {
#ifdef TROUPE_CHECKS
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    if (limits_.of(s) != limit(s) || (sessions_[s].is_due() && std::ranges::count(due_, s) == 0))
      throw std::logic_error("machine " + std::to_string(serves_->id()) +
                             " has not noted a change of its session with scheduler " +
                             std::to_string(s));
#endif
}

// -- leases -------------------------------------------------------------------------------------

bool queue_sessions::busy(scheduler_id scheduler) const {
  return sessions_[scheduler].busy() || serves_->core().holds(scheduler);
}

instant queue_sessions::limit(scheduler_id scheduler) const {
  return sessions_[scheduler].limit(busy(scheduler), rules_.lease);
}

void queue_sessions::grant(const process_lease& lease, instant now) {
  if (lease.number >= sessions_.size() || lease.incarnation != rules_.incarnation ||
      !lease.renews(serves_->id()))
    return;
  auto& with = sessions_[lease.number];
  if (!with.joined() || with.scheduler_incarnation() != lease.answers_as)
    return;
  const bool had_none = with.extend(lease.answers + rules_.lease, now);
  note_change(lease.number);
  if (had_none)
    serves_->serve(*this, now);
}

instant queue_sessions::expires() const {
  check_notes();
  return limits_.first();
}

void queue_sessions::expire(instant now) {
  check_notes();
  if (limits_.first() > now)
    return;
  for (auto s = limits_.passed(0, now); s != deadline_heap::none; s = limits_.passed(s + 1, now))
    fence(s, incarnation(s) + 1, now);
}

void queue_sessions::fence(scheduler_id scheduler, incarnation_id incarnation, instant now) {
  serves_->kill_all(scheduler, now);
  serves_->drop(scheduler);
  sessions_[scheduler].fence(incarnation);
  note_change(scheduler);
  freed_ = true;
  serves_->serve(*this, now);
}

// -- messages of schedulers ---------------------------------------------------------------------

void queue_sessions::adopt(scheduler_id scheduler, incarnation_id scheduler_incarnation,
                           instant now) {
  serves_->drop(scheduler);
  sessions_[scheduler].adopt(scheduler_incarnation);
  note_change(scheduler);
  freed_ = true;
  serves_->serve(*this, now);
}

bool queue_sessions::hear(const queue_orders& orders, instant now) {
  const auto from = orders.scheduler;
  if (from >= sessions_.size())
    return true;
  auto& with = sessions_[from];
  if (orders.scheduler_incarnation < with.scheduler_incarnation())
    return false;
  if (orders.scheduler_incarnation > with.scheduler_incarnation())
    adopt(from, orders.scheduler_incarnation, now);
  if (orders.incarnation > with.incarnation())
    fence(from, orders.incarnation, now);
  if (orders.incarnation < with.incarnation() || !orders.renews) {
    with.note_due();
    note_change(from);
    return true;
  }
  with.renew(orders, orders.answers + rules_.lease, now);
  if (!orders.orders.empty())
    with.receive(orders, busy(from), now, [&](const queue_order& order) { obey(order, now); });
  note_change(from);
  serves_->serve(*this, now);
  return true;
}

void queue_sessions::obey(const queue_order& order, instant now) {
  auto what = told_by_session(order);
  const bool freed = std::visit([&](auto& one) { return serves_->obey(one, *this, now); }, what);
  freed_ = freed_ || freed;
}

// -- events -------------------------------------------------------------------------------------

void queue_sessions::started(scheduler_id scheduler, const task_start& what) {
  auto& with = sessions_.at(scheduler);
  with.started();
  tell_event(scheduler, what);
}

void queue_sessions::tell(scheduler_id scheduler, const get_task_request& request) {
  tell_event(scheduler, request);
}

void queue_sessions::tell(scheduler_id scheduler, const probe_answer& answer) {
  tell_event(scheduler, answer);
}

void queue_sessions::tell_event(scheduler_id scheduler, queue_event event) {
  sessions_.at(scheduler).tell(std::move(event));
  note_change(scheduler);
}

bool queue_sessions::end(run_number run, const task_end& end, instant now) {
  const auto was = serves_->ended(run, now);
  if (!was)
    return false;
  auto& with = sessions_.at(was->scheduler);
  with.stopped();
  if (!planted(planted_fault::forgotten_end))
    with.tell_end(was->scheduler, end);
  if (planted(planted_fault::doubled_end))
    with.tell_end(was->scheduler, end);
  note_change(was->scheduler);
  freed_ = true;
  serves_->serve(*this, now);
  return true;
}

std::vector<queue_entry> queue_sessions::give_away(machine_id thief, instant now) {
  auto given = serves_->give_away(thief, now);
  for (const auto& e : given)
    tell_event(e.order.launcher,
               moved_reservation{thief, e.order.task.job, e.group, e.placed_on, e.length_met});
  serves_->serve(*this, now);
  return given;
}

void queue_sessions::change_capacity(instant now) {
  std::vector<bool> were_busy;
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    were_busy.push_back(busy(s));
  if (!planted(planted_fault::kept_tasks))
    for (const auto& k : serves_->shrink(*this, now)) {
      auto& with = sessions_.at(k.scheduler);
      with.stopped();
      with.tell_loss(k.scheduler, {k.task, serves_->id(), task_outcome::lost, now});
    }
  const auto notice = serves_->note_capacity();
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    if (auto& with = sessions_[s]; with.scheduler_incarnation() > 0)
      with.tell_unasked(notice, were_busy[s], now);
  note_changes();
  freed_ = true;
  serves_->serve(*this, now);
}

// -- signs of life ------------------------------------------------------------------------------

std::vector<scheduler_id> queue_sessions::due() {
  check_notes();
  auto all = std::exchange(due_, {});
  std::erase_if(all, [this](scheduler_id s) {
    sessions_[s].note_listed(false);
    return !sessions_[s].take_due();
  });
  std::ranges::sort(all);
  return all;
}

bool queue_sessions::asks(scheduler_id scheduler, instant now) const {
  return sessions_[scheduler].asks(busy(scheduler), leaves_, rules_.pulsed, rules_.patience, now);
}

std::vector<scheduler_id> queue_sessions::overdue(instant now) const {
  std::vector<scheduler_id> all;
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    if (const auto& with = sessions_[s];
        with.scheduler_incarnation() > 0 && (asks(s, now) || with.overdue(rules_.patience, now)))
      all.push_back(s);
  return all;
}

std::vector<scheduler_id> queue_sessions::watched() const {
  std::vector<scheduler_id> all;
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    if (sessions_[s].joined() && (busy(s) || leaves_))
      all.push_back(s);
  return all;
}

queue_report queue_sessions::notice(scheduler_id scheduler, instant now) const {
  queue_report report;
  report.machine = serves_->id();
  report.scheduler = scheduler;
  report.sent = now;
  sessions_[scheduler].name_sides(report);
  return report;
}

queue_report queue_sessions::report(scheduler_id scheduler, instant now) {
  auto report = notice(scheduler, now);
  report.busy = busy(scheduler);
  report.leaves = leaves_;
  report.asks = asks(scheduler, now);
  sessions_[scheduler].write(report, rules_.patience, now);
  note_change(scheduler);
  if (const auto notice = serves_->latest_notice(); notice && report.joins)
    report.capacity = {*notice};
  if (report.joins)
    for (const auto& [task, by] : running_for())
      if (by == scheduler)
        report.running.push_back(task);
  return report;
}

process_heartbeat queue_sessions::sign_of_life(scheduler_id scheduler, instant now) const {
  return {serves_->id(),
          1,
          rules_.incarnation,
          role::scheduler,
          scheduler,
          scheduler_incarnation(scheduler),
          now};
}

std::vector<std::pair<task_id, scheduler_id>> queue_sessions::running_for() const {
  std::vector<std::pair<task_id, scheduler_id>> tasks;
  for (const auto& r : serves_->core().tasks())
    if (!r.granted)
      tasks.emplace_back(r.task, r.scheduler);
  return tasks;
}

void queue_sessions::leave() {
  leaves_ = true;
  for (auto& with : sessions_)
    with.note_due();
  note_changes();
}

bool queue_sessions::idle() const {
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    if (busy(s))
      return false;
  return serves_->core().idle();
}

} // namespace troupe
