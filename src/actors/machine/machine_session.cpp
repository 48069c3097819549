#include "actors/machine/machine_session.hpp"

#include "model/planted_faults.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// So many orders may come before one that is missing.
constexpr std::uint64_t most_early = 64;

} // namespace

void machine_session::expire(instant now) {
  if (now >= expires())
    fence(life_ + 1);
}

void machine_session::fence(incarnation life) {
  core_->kill_all(*runs_on_);
  claims_.clear();
  life_ = life;
  epoch_ = 0;
  joined_ = false;
  orders_seen_ = events_ = events_heard_ = 0;
  events_kept_.clear();
  early_.clear();
}

machine_session::claim machine_session::take_claim(const task_id& task) {
  const auto it = std::ranges::find(claims_, task, [](const claim& c) { return c.what.task; });
  const auto taken = *it;
  claims_.erase(it);
  return taken;
}

void machine_session::tell(scheduler_id scheduler, const task_end& end) {
  events_kept_.push_back({++events_, scheduler, end});
}

void machine_session::start(const machine_order& order, instant now) {
  const auto& what = order.what;
  if (core_->start(what, *runs_on_, now))
    claims_.push_back(
      {{what.task, order.scheduler, what.demand, what.runtime, order.priority, order.tenant},
       what.grant});
  else
    tell(order.scheduler, {what.task, core_->id(), task_outcome::lost, now, what.grant});
}

void machine_session::kill(const machine_order& order, instant now) {
  if (!core_->kill(order.what.task, *runs_on_))
    return; // it has ended meanwhile, and the owner hears of that
  const auto was = take_claim(order.what.task);
  tell(was.what.scheduler, {was.what.task, core_->id(), task_outcome::preempted, now, was.grant});
}

void machine_session::obey(const machine_order& order, instant now) {
  if (order.epoch != epoch_ || order.life != life_ || order.number <= orders_seen_)
    return;
  if (order.number > orders_seen_ + 1) {
    if (order.number <= orders_seen_ + most_early)
      early_.emplace(order.number, order);
    return;
  }
  carry_out(order, now);
  for (auto next = early_.begin(); next != early_.end() && next->first == orders_seen_ + 1;
       next = early_.erase(next))
    carry_out(next->second, now);
}

void machine_session::carry_out(const machine_order& order, instant now) {
  orders_seen_ = order.number;
  order.kill ? kill(order, now) : start(order, now);
}

bool machine_session::end(run_number run, const task_end& end) {
  const auto ran = core_->end(run);
  if (!ran)
    return false;
  const auto was = take_claim(ran->task);
  auto told = end;
  told.grant = was.grant;
  if (!planted(planted_fault::forgotten_end))
    tell(was.what.scheduler, told);
  if (planted(planted_fault::doubled_end))
    tell(was.what.scheduler, told);
  return true;
}

machine_session::reaction machine_session::hear(const owner_word& word, instant now) {
  if (word.epoch < latest_epoch_)
    return reaction::depose;
  if (word.life != 0 && word.life < life_)
    return reaction::none;
  if (word.life > life_) { // it has been given up
    fence(word.life);
    return reaction::turn;
  }
  if (word.epoch > epoch_) {
    // What was running may go on for as long as the owner before has allowed.
    if (epoch_ == 0)
      lease_until_ = now + rules_.lease;
    epoch_ = latest_epoch_ = word.epoch;
    joined_ = false;
    orders_seen_ = events_heard_ = 0;
    early_.clear();
    for (auto& c : claims_)
      c.grant = no_grant; // of the owner before
    return reaction::turn;
  }
  if (word.wants_all && !joined_)
    return reaction::beat;
  if (!word.renews)
    return reaction::none;
  joined_ = true;
  lease_until_ = std::max<instant>(lease_until_, word.answers + rules_.lease);
  events_heard_ = std::max(events_heard_, word.events_heard);
  while (!events_kept_.empty() && events_kept_.front().number <= word.events_done)
    events_kept_.pop_front();
  return reaction::none;
}

machine_beat machine_session::beat(instant now) const {
  machine_beat beat{core_->id(), life_, epoch_, now, orders_seen_, epoch_ > 0 && !joined_, leaves_};
  if (beat.joins)
    for (const auto& c : claims_)
      beat.running.push_back(c.what);
  for (const auto& e : events_kept_)
    if (e.number > events_heard_)
      beat.ended.push_back(e);
  return beat;
}

machine_beat machine_session::refusal(instant now) const {
  machine_beat beat;
  beat.machine = core_->id();
  beat.life = life_;
  beat.epoch = latest_epoch_;
  beat.sent = now;
  return beat;
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
