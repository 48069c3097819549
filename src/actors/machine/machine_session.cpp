#include "actors/machine/machine_session.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>

namespace troupe {

bool machine_session::catch_up(instant now) {
  if (owner_incarnation_ != 0 && now >= lease_until_)
    fence(incarnation_ + 1, now);
  const auto change = clock_.catch_up(now);
  if (change.is_zero())
    return false;
  ++changes_;
  host_->resize(change, now);
  if (!planted(planted_fault::kept_tasks))
    shrink(now);
  return true;
}

instant machine_session::next_due(instant now) const {
  const auto expires = owner_incarnation_ == 0 ? instant::max() : lease_until_;
  return std::min(expires, clock_.next(now));
}

/// What its owner has granted, and has not ended.
resources machine_session::claimed() const {
  resources sum;
  for (const auto& c : claims_)
    sum += c.what.demand;
  return sum;
}

/// Kills the owner's tasks that do not fit any more. Tasks of other sessions do not count.
void machine_session::shrink(instant now) {
  const auto goes_before = [](const claim& a, const claim& b) {
    return a.what.priority <= b.what.priority; // of equal ones the later
  };
  const bool leaves = clock_.has().is_zero();
  while (!claims_.empty() && (leaves || !clock_.has().fits(claimed()))) {
    auto first = claims_.begin();
    for (auto it = first; it != claims_.end(); ++it)
      if (goes_before(*it, *first))
        first = it;
    const auto task = first->what.task;
    host_->kill(task, now);
    const auto was = take_claim(task);
    tell(was.what.scheduler, {task, host_->id(), task_outcome::lost, now, was.grant});
  }
}

void machine_session::fence(incarnation_id incarnation, instant now) {
  claims_.clear();
  incarnation_ = incarnation;
  owner_incarnation_ = 0;
  joined_ = false;
  events_ = events_heard_ = 0;
  events_kept_.clear();
  orders_.reset(0);
  host_->kill_all(now);
}

machine_session::claim machine_session::take_claim(const task_id& task) {
  const auto it = std::ranges::find(claims_, task, [](const claim& c) { return c.what.task; });
  const auto taken = *it;
  claims_.erase(it);
  return taken;
}

void machine_session::tell(scheduler_id scheduler, const task_end& end) {
  events_kept_.push_back({++events_, scheduler, end});
  ++changes_;
}

void machine_session::start(const machine_order& order, instant now) {
  const auto& what = order.what;
  // A launch may cross the news that the machine has less than before, or the begin of a window.
  const bool too_late =
    (clock_.has() != clock_.whole() && !clock_.has().fits(claimed() + what.demand)) ||
    !rules_.hours.lets_start(now, what.estimate, order.tenant);
  if (!too_late && host_->start(what, order.tenant, now))
    claims_.push_back(
      {{what.task, order.scheduler, what.demand, what.runtime, order.priority, order.tenant},
       what.grant});
  else
    tell(order.scheduler, {what.task, host_->id(), task_outcome::lost, now, what.grant});
}

void machine_session::kill(const machine_order& order, instant now) {
  if (!host_->kill(order.what.task, now))
    return; // it has ended meanwhile, and the owner hears of that
  const auto was = take_claim(order.what.task);
  tell(was.what.scheduler, {was.what.task, host_->id(), task_outcome::preempted, now, was.grant});
}

void machine_session::obey(const machine_order& order, instant now) {
  if (order.owner_incarnation != owner_incarnation_ || order.incarnation != incarnation_)
    return;
  ++changes_; // the owner awaits the acknowledgement
  orders_.receive(orders_.session(), order.number, {order}, [&](const machine_order& next) {
    next.kill ? kill(next, now) : start(next, now);
  });
}

bool machine_session::end(run_number run, const task_end& end, instant now) {
  const auto ran = host_->end(run, now);
  if (!ran)
    return false;
  const auto was = take_claim(*ran);
  auto told = end;
  told.grant = was.grant;
  if (!planted(planted_fault::forgotten_end))
    tell(was.what.scheduler, told);
  if (planted(planted_fault::doubled_end))
    tell(was.what.scheduler, told);
  return true;
}

machine_session::reaction machine_session::hear(const lease_reply& word, instant now) {
  if (word.owner_incarnation < latest_owner_)
    return reaction::depose;
  // A call of an owner that knows only an earlier incarnation of the machine is meant for this one.
  if (word.incarnation != 0 && word.incarnation < incarnation_ && !word.wants_all)
    return reaction::none;
  if (word.incarnation > incarnation_) { // it has been given up
    fence(word.incarnation, now);
    return reaction::turn;
  }
  if (word.owner_incarnation > owner_incarnation_) {
    // Running tasks may go on until the lease from the owner before expires.
    if (owner_incarnation_ == 0)
      lease_until_ = now + rules_.lease;
    owner_incarnation_ = latest_owner_ = word.owner_incarnation;
    joined_ = false;
    events_heard_ = 0;
    orders_.reset(0);
    for (auto& c : claims_)
      c.grant = no_grant; // of the owner before
    return reaction::turn;
  }
  if (word.wants_all && !joined_)
    return reaction::heartbeat;
  if (!word.renews)
    return reaction::none;
  joined_ = true;
  if (word.answers == sent_)
    changes_heard_ = changes_sent_;
  lease_until_ = std::max<instant>(lease_until_, word.answers + rules_.lease);
  events_heard_ = std::max(events_heard_, word.events_heard);
  while (!events_kept_.empty() && events_kept_.front().number <= word.events_done)
    events_kept_.pop_front();
  return reaction::none;
}

void machine_session::grant(const process_lease& lease) {
  if (joined_ && lease.from == role::owner && lease.answers_as == owner_incarnation_ &&
      lease.incarnation == rules_.incarnation && lease.renews(host_->id()))
    lease_until_ = std::max<instant>(lease_until_, lease.answers + rules_.lease);
}

bool machine_session::is_quiet(duration patience, instant now) const {
  const bool knows = joined_ && (changes_heard_ == changes_ || planted(planted_fault::early_quiet));
  const bool is_fresh = now + rules_.lease / 2 < lease_until_;
  return knows && is_fresh &&
         (events_kept_.empty() || now < sent_ + patience || planted(planted_fault::early_quiet));
}

machine_heartbeat machine_session::heartbeat(instant now) {
  if (now != sent_) // an answer does not tell heartbeats of one instant apart
    changes_sent_ = changes_;
  sent_ = now;
  machine_heartbeat heartbeat{host_->id(), incarnation_,   owner_incarnation_,
                              now,         orders_.seen(), owner_incarnation_ > 0 && !joined_,
                              leaves_};
  if (heartbeat.joins)
    for (const auto& c : claims_)
      heartbeat.running.push_back(c.what);
  for (const auto& e : events_kept_)
    if (e.number > events_heard_)
      heartbeat.ended.push_back(e);
  if (clock_.has() != clock_.whole())
    heartbeat.capacity = {clock_.has()};
  return heartbeat;
}

machine_heartbeat machine_session::refusal(instant now) const {
  machine_heartbeat heartbeat;
  heartbeat.machine = host_->id();
  heartbeat.incarnation = incarnation_;
  heartbeat.owner_incarnation = latest_owner_;
  heartbeat.sent = now;
  return heartbeat;
}

bool machine_session::runs(const task_id& task) const {
  return std::ranges::any_of(claims_, [&](const claim& c) { return c.what.task == task; });
}

std::vector<std::pair<task_id, scheduler_id>> machine_session::running_for() const {
  std::vector<std::pair<task_id, scheduler_id>> tasks;
  for (const auto& c : claims_)
    tasks.emplace_back(c.what.task, c.what.scheduler);
  return tasks;
}

bool machine_session::keeps_end(const task_id& task) const {
  return std::ranges::any_of(events_kept_,
                             [&](const machine_event& e) { return e.end.task == task; });
}

} // namespace troupe
