#include "actors/sparrow/sparrow_session.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <variant>

namespace troupe {

sparrow_session::sparrow_session(const sparrow_session_rules& rules, scheduler_id id,
                                 std::size_t machines, probing_core& core, instant now)
  : rules_(rules),
    began_(now),
    core_(&core),
    books_(id, rules.incarnation, 0, rules.stores, rules.retries),
    links_({rules.patience(), rules.machine_timeout, rules.calls}, id, rules.incarnation, machines),
    left_(machines) {
  core_->watch_failures(rules.retries, now);
}

// -- leases -------------------------------------------------------------------------------------

bool sparrow_session::vouched(instant sent, instant now) {
  const bool before = cannot_be_replaced(now);
  vouched_ = std::max(sent, vouched_.value_or(sent));
  return !before && cannot_be_replaced(now);
}

bool sparrow_session::may_act(instant now) const {
  return rules_.lease == duration::zero() || (vouched_ && now < *vouched_ + rules_.lease);
}

bool sparrow_session::cannot_be_replaced(instant now) const {
  return vouched_ && now < *vouched_ + rules_.timeout;
}

bool sparrow_session::knows_machines(instant now) const {
  return links_.joined() == links_.size() ||
         (links_.has_choice() && now >= began_ + rules_.timeout);
}

// -- messages to machines and job stores --------------------------------------------------------

void sparrow_session::send(sparrow_outbox& out, instant now) {
  core_->abandon_put_back(now, out);
  out.each_kind([&](const auto& orders) {
    for (const auto& [machine, what] : orders)
      links_.order(machine, what, now);
  });
  for (const auto& [task, fate] : out.over)
    books_.over(task, fate);
  out.clear();
}

std::vector<queue_orders> sparrow_session::due_orders(instant now) {
  return may_act(now) ? links_.due_orders(now) : std::vector<queue_orders>{};
}

task_places sparrow_session::places() const {
  auto in = core_->places();
  in.stores = books_.tallies();
  return in;
}

// -- messages of machines -----------------------------------------------------------------------

bool sparrow_session::hear(const queue_report& report, instant now) {
  if (report.machine >= links_.size() || report.scheduler != books_.scheduler())
    return true;
  if (report.scheduler_incarnation != rules_.incarnation)
    return report.scheduler_incarnation < rules_.incarnation;
  if (report.incarnation < links_.incarnation_of(report.machine)) { // it has been given up
    links_.tell(report.machine);
    return true;
  }
  if (!links_.in_session(report.machine, report.incarnation)) {
    if (!report.joins || !cannot_be_replaced(now))
      return true;
    const bool begun = begin_session(report, now);
    send(out_, now);
    if (!begun)
      return true;
  }
  if (links_.begins_to_leave(report))
    core_->retire(report.machine, out_);
  links_.receive(report, now, [&](const queue_event& event) {
    std::visit([&](const auto& what) { book(report.machine, what); }, event);
    send(out_, now);
  });
  take_over(now);
  send(out_, now);
  return true;
}

std::optional<process_lease> sparrow_session::hear(const process_heartbeat& heard, instant now) {
  if (heard.to != role::scheduler || heard.number != books_.scheduler() ||
      heard.obeyed != rules_.incarnation)
    return std::nullopt;
  auto lease = links_.hear(heard, now);
  return may_act(now) ? std::optional{std::move(lease)} : std::nullopt;
}

bool sparrow_session::begin_session(const queue_report& report, instant now) {
  const auto machine = report.machine;
  if (links_.is_joined(machine))
    give_up(machine, now);
  links_.tell(machine);
  const bool has_something = !report.running.empty() || !report.ended.empty();
  if (!taking_over() && has_something &&
      !planted(planted_fault::trusted_claim)) { // it could not be waited for any longer
    links_.refuse(machine, report.incarnation);
    return false;
  }
  left_.told(machine);
  links_.begin(report);
  if (taking_over())
    left_.take(machine, report.running, report.ended);
  const auto* notice = report.capacity.empty() ? nullptr : &report.capacity.front();
  if (report.leaves)
    core_->note_capacity(machine, notice, out_);
  else
    core_->restore(machine, out_, notice);
  return true;
}

void sparrow_session::give_up(machine_id machine, instant now) {
  links_.end(machine);
  left_.forget(machine);
  core_->remove(machine, now, out_);
}

void sparrow_session::book(machine_id machine, const get_task_request& request) {
  if (request.machine == machine)
    core_->asked(request, out_);
}

void sparrow_session::book(machine_id, const probe_answer& answer) {
  core_->answer(answer, out_);
}

void sparrow_session::book(machine_id machine, const capacity_notice& notice) {
  if (notice.machine == machine)
    core_->set_capacity(notice, out_);
}

void sparrow_session::book(machine_id, const task_start& start) {
  core_->book({{start}, {}}, out_);
}

void sparrow_session::book(machine_id machine, const moved_reservation& moved) {
  core_->move(moved, machine, out_);
}

void sparrow_session::book(machine_id machine, const machine_event& ended) {
  if (!left_.end(machine, ended))
    book_end(machine, ended);
}

void sparrow_session::book_end(machine_id machine, const machine_event& ended) {
  core_->book({{}, {ended.end}}, out_);
  for (const auto& [task, fate] : std::exchange(out_.over, {}))
    books_.over(task, fate);
  keep_until_safe(machine, ended);
}

void sparrow_session::keep_until_safe(machine_id machine, const machine_event& ended) {
  booked_.push_back({books_.latest(), machine, links_.incarnation_of(machine), ended.number});
}

void sparrow_session::settle_ends() {
  for (; !booked_.empty() && booked_.front().news <= books_.confirmed(); booked_.pop_front()) {
    const auto& end = booked_.front();
    links_.settle(end.machine, end.incarnation, end.number);
  }
}

void sparrow_session::look_around(instant now) {
  const bool sure = cannot_be_replaced(now);
  if (now - std::exchange(looked_, now) >= rules_.timeout)
    stood_still_until_ = now; // messages of machines may still be on their way
  for (machine_id m = 0; m < links_.size() && sure; ++m)
    if (links_.is_silent(m, stood_still_until_, now))
      give_up(m, now);
  core_->look_again(out_);
  links_.tell_overdue(now);
  if (sure)
    links_.call(core_->may_lack_machines());
  take_over(now);
  settle_ends(); // there may have been nothing to tell job stores
  send(out_, now);
}

// -- jobs ---------------------------------------------------------------------------------------

void sparrow_session::deliver(const job_delivery& what, instant now) {
  for (const auto& next : books_.take(what)) {
    books_.withdrawn.insert(next.withdrawn.begin(), next.withdrawn.end());
    if (next.resumed && taking_over()) {
      books_.keep_left(next);
      take_over(now);
      send(out_, now);
      continue;
    }
    // No earlier incarnation has seen these.
    std::vector<job> jobs;
    for (const auto& j : next.jobs)
      jobs.push_back(j.what);
    core_->submit(std::move(jobs));
  }
  abandon_withdrawn(now);
}

void sparrow_session::abandon_withdrawn(instant now) {
  if (taking_over() || books_.withdrawn.empty())
    return;
  for (const auto id : std::exchange(books_.withdrawn, {}))
    core_->abandon(id, now, out_);
  send(out_, now);
}

void sparrow_session::confirm(const store_seen& seen, instant now) {
  books_.confirm(seen, now);
  settle_ends();
}

/// Without a lease, a machine that has not been called may still obey an earlier incarnation.
bool sparrow_session::have_stopped(instant now) const {
  return now >= began_ + rules_.old_lease + rules_.machine_timeout &&
         (rules_.lease > duration::zero() || links_.rounds() >= rules_.unanswered_calls());
}

void sparrow_session::take_over(instant now) {
  if (!taking_over() || !books_.told_all())
    return;
  if (!left_.all_told() && !have_stopped(now) && !books_.left.empty() &&
      !planted(planted_fault::trusted_claim))
    return;
  const auto places = left_.places();
  for (const auto& job : books_.take_over()) {
    core_->resume(job, places);
    left_.open(job);
  }
  for (const auto& end : left_.take_ends())
    if (end.open)
      book_end(end.machine, end.what);
    else
      keep_until_safe(end.machine, end.what);
  abandon_withdrawn(now);
}

} // namespace troupe
