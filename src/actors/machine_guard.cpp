#include "actors/machine_guard.hpp"

#include "model/planted_faults.hpp"

#include <algorithm>

namespace troupe {

void machine_guard::expire(instant now) {
  if (now >= expires())
    fence(life_ + 1, now);
}

void machine_guard::fence(incarnation life, instant now) {
  for (const auto& r : running_)
    if (r.ends_at > now)
      runs_on_->kill(rules_.machine, r.what.task, r.ends_at);
  running_.clear();
  free_ = rules_.capacity;
  life_ = life;
  epoch_ = 0;
  joined_ = false;
  orders_seen_ = events_ = events_heard_ = 0;
  events_kept_.clear();
}

void machine_guard::tell(scheduler_id scheduler, const task_end& end) {
  events_kept_.push_back({++events_, scheduler, end});
}

void machine_guard::start(const machine_order& order, instant now) {
  const auto& what = order.what;
  if (!free_.fits(what.demand)) {
    runs_on_->refuse(rules_.machine, what);
    tell(order.scheduler, {what.task, rules_.machine, task_outcome::lost, now, what.grant});
    return;
  }
  free_ -= what.demand;
  running_.push_back(
    {{what.task, order.scheduler, what.demand, what.runtime, order.priority, order.tenant},
     what.grant,
     runs_on_->start(rules_.machine, what, now)});
}

void machine_guard::kill(const machine_order& order, instant now) {
  const auto it = std::ranges::find_if(
    running_, [&](const running_task& r) { return r.what.task == order.what.task; });
  if (it == running_.end())
    return; // it has ended meanwhile, and the owner hears of that
  runs_on_->kill(rules_.machine, it->what.task, it->ends_at);
  free_ += it->what.demand;
  tell(it->what.scheduler,
       {it->what.task, rules_.machine, task_outcome::preempted, now, it->grant});
  running_.erase(it);
}

void machine_guard::obey(const machine_orders& orders, instant now) {
  if (orders.epoch != epoch_ || orders.life != life_ || orders.first > orders_seen_ + 1)
    return;
  for (std::size_t i = 0; i < orders.orders.size(); ++i) {
    if (orders.first + i <= orders_seen_)
      continue;
    ++orders_seen_;
    const auto& order = orders.orders[i];
    order.kill ? kill(order, now) : start(order, now);
  }
}

bool machine_guard::end(const task_end& end) {
  const auto it = std::ranges::find_if(running_, [&](const running_task& r) {
    return r.what.task == end.task && r.ends_at == end.at;
  });
  if (it == running_.end())
    return false;
  free_ += it->what.demand;
  auto told = end;
  told.grant = it->grant;
  if (!planted(planted_fault::forgotten_end))
    tell(it->what.scheduler, told);
  if (planted(planted_fault::doubled_end))
    tell(it->what.scheduler, told);
  running_.erase(it);
  return true;
}

machine_guard::reaction machine_guard::hear(const owner_word& word, instant now) {
  if (word.epoch < latest_epoch_)
    return reaction::depose;
  if (word.life != 0 && word.life < life_)
    return reaction::none;
  if (word.life > life_) { // it has been given up
    fence(word.life, now);
    return reaction::turn;
  }
  if (word.epoch > epoch_) {
    // What was running may go on for as long as the owner before has allowed.
    if (epoch_ == 0)
      lease_until_ = now + rules_.lease;
    epoch_ = latest_epoch_ = word.epoch;
    joined_ = false;
    orders_seen_ = events_heard_ = 0;
    for (auto& r : running_)
      r.grant = no_grant; // of the owner before
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

machine_beat machine_guard::beat(instant now) const {
  machine_beat beat{rules_.machine,         life_,  epoch_, now, orders_seen_,
                    epoch_ > 0 && !joined_, leaves_};
  if (beat.joins)
    for (const auto& r : running_)
      beat.running.push_back(r.what);
  for (const auto& e : events_kept_)
    if (e.number > events_heard_)
      beat.ended.push_back(e);
  return beat;
}

machine_beat machine_guard::refusal(instant now) const {
  machine_beat beat;
  beat.machine = rules_.machine;
  beat.life = life_;
  beat.epoch = latest_epoch_;
  beat.sent = now;
  return beat;
}

bool machine_guard::runs(const task_id& task) const {
  return std::ranges::any_of(running_, [&](const running_task& r) { return r.what.task == task; });
}

std::vector<std::pair<task_id, scheduler_id>> machine_guard::running_for() const {
  std::vector<std::pair<task_id, scheduler_id>> tasks;
  for (const auto& r : running_)
    tasks.emplace_back(r.what.task, r.what.scheduler);
  return tasks;
}

bool machine_guard::keeps_end(const task_id& task) const {
  return std::ranges::any_of(events_kept_,
                             [&](const machine_event& e) { return e.end.task == task; });
}

std::vector<task_id> machine_guard::running() const {
  std::vector<task_id> tasks;
  for (const auto& r : running_)
    tasks.push_back(r.what.task);
  return tasks;
}

} // namespace troupe
