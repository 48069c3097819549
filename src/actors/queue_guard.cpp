#include "actors/queue_guard.hpp"

#include "model/planted_faults.hpp"

#include <algorithm>

namespace troupe {

queue_guard::queue_guard(const queue_guard_rules& rules, std::span<const double> weights,
                         executor& runs_on, machine_usage* usage)
  : rules_(rules),
    runs_on_(&runs_on),
    usage_(usage),
    core_(rules.capacity, rules.discipline, weights),
    sessions_(rules.schedulers) {
  for (auto& s : sessions_)
    s.life = rules.life;
}

void queue_guard::begin_session(scheduler_id scheduler) {
  auto& with = of(scheduler);
  with.orders.reset(queue_session(with.epoch, with.life));
  with.events.reset(queue_session(with.epoch, with.life));
}

// -- leases -------------------------------------------------------------------------------------

bool queue_guard::busy(scheduler_id scheduler) const {
  const auto& with = sessions_[scheduler];
  return !with.events.empty() || !with.kept.empty() || with.running > 0 || core_.holds(scheduler);
}

instant queue_guard::limit(scheduler_id scheduler) const {
  const auto& with = sessions_[scheduler];
  if (with.running > 0)
    return with.lease_until;
  // What does not run needs no lease, but may not wait for ever.
  return busy(scheduler) ? std::max<instant>(with.lease_until, with.busy_since + rules_.lease)
                         : instant::max();
}

void queue_guard::grant(const queue_lease& lease, instant now) {
  if (lease.scheduler >= sessions_.size() || lease.life != rules_.life ||
      !lease.renews(rules_.machine))
    return;
  auto& with = of(lease.scheduler);
  const auto until = lease.answers + rules_.lease;
  if (!with.joined || with.epoch != lease.scheduler_life || until <= with.lease_until)
    return;
  const bool had_none = now >= with.lease_until;
  with.lease_until = until;
  if (had_none)
    serve(now);
}

instant queue_guard::expires() const {
  auto first = instant::max();
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    first = std::min(first, limit(s));
  return first;
}

void queue_guard::expire(instant now) {
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    if (now >= limit(s))
      fence(s, of(s).life + 1, now);
}

void queue_guard::fence(scheduler_id scheduler, incarnation life, instant now) {
  for (const auto& r : running_) {
    if (r.scheduler != scheduler)
      continue;
    runs_on_->kill(rules_.machine, r.run);
    stopped(r.task, now);
  }
  std::erase_if(running_, [&](const running_task& r) { return r.scheduler == scheduler; });
  core_.drop(scheduler);
  const auto epoch = of(scheduler).epoch;
  of(scheduler) = {};
  of(scheduler).life = life;
  of(scheduler).epoch = epoch;
  of(scheduler).due = true;
  begin_session(scheduler);
  serve(now);
}

// -- what schedulers say ------------------------------------------------------------------------

void queue_guard::adopt(scheduler_id scheduler, incarnation epoch, instant now) {
  auto& with = of(scheduler);
  core_.drop(scheduler);
  with.epoch = epoch;
  with.joined = false;
  with.told_idle = true;
  with.idle_sent.reset();
  with.told_leaving = false;
  with.leave_sent.reset();
  begin_session(scheduler);
  serve(now);
}

void queue_guard::renew(const queue_word& word, instant now) {
  auto& with = of(word.scheduler);
  with.joined = true;
  with.lease_until = std::max<instant>(with.lease_until, word.answers + rules_.lease);
  with.events.acknowledge(with.events.session(), word.events_heard, now);
  with.due = with.due || with.events.has_new();
  const auto known = std::ranges::find_if(
    with.kept, [&](const machine_event& e) { return e.number > word.ends_done; });
  if (known != with.kept.begin()) {
    with.kept.erase(with.kept.begin(), known);
    with.kept_since = now;
  }
  if (with.idle_sent && word.answers >= *with.idle_sent)
    with.told_idle = true;
  if (with.leave_sent && word.answers >= *with.leave_sent)
    with.told_leaving = true;
}

bool queue_guard::hear(const queue_word& word, instant now) {
  if (word.scheduler >= sessions_.size())
    return true;
  if (word.scheduler_life < of(word.scheduler).epoch)
    return false;
  auto& with = of(word.scheduler);
  if (word.scheduler_life > with.epoch)
    adopt(word.scheduler, word.scheduler_life, now);
  if (word.life > with.life)
    fence(word.scheduler, word.life, now);
  if (word.life < with.life || !word.renews) {
    with.due = true;
    return true;
  }
  renew(word, now);
  if (!word.orders.empty()) {
    with.due = with.due || now >= with.lease_until; // else the acknowledgement can wait
    if (!busy(word.scheduler))
      with.busy_since = now;
    with.orders.receive(with.orders.session(), word.first_order, word.orders,
                        [&](const queue_order& order) { obey(word.scheduler, order, now); });
    with.told_idle = false;
    with.idle_sent.reset();
  }
  serve(now);
  return true;
}

void queue_guard::obey(scheduler_id scheduler, const queue_order& order, instant now) {
  const auto& what = order.entry;
  switch (order.kind) {
  case queue_order_kind::entry: {
    auto entry = what;
    entry.order.by_scheduler = false; // its end is told by the machine
    entry.length_met = core_.length(what.order.demand);
    if (!core_.push(entry))
      runs_on_->refuse(rules_.machine, entry.order);
    break;
  }
  case queue_order_kind::answer:
    answered(scheduler, order, now);
    break;
  case queue_order_kind::cancel:
    core_.cancel({scheduler, what.order.task.job});
    break;
  case queue_order_kind::probe: {
    queue_event event{queue_event_kind::length, {}, {}, {}};
    event.length = {order.probe.round, order.probe.index, core_.length(order.probe.demand)};
    tell(scheduler, std::move(event));
  }
  }
  serve(now);
}

void queue_guard::answered(scheduler_id scheduler, const queue_order& order, instant now) {
  task_assignment answer{order.none, order.entry.group, order.entry.order};
  answer.order.by_scheduler = false;
  if (const auto task = core_.answered(answer, now < of(scheduler).lease_until))
    start(*task, now);
}

// -- what happens -------------------------------------------------------------------------------

void queue_guard::serve(instant now) {
  for (const auto* head = core_.head(); head != nullptr; head = core_.head()) {
    const auto scheduler = head->order.owner;
    if (head->kind == entry_kind::task && now >= of(scheduler).lease_until)
      return;
    const auto entry = core_.next();
    if (!entry)
      return;
    if (entry->kind == entry_kind::reservation)
      tell(scheduler, {queue_event_kind::request,
                       {entry->order.task.job, entry->group, rules_.machine, entry->placed_on,
                        entry->length_met},
                       {},
                       {}});
    else
      start(entry->order, now);
  }
}

void queue_guard::start(const launch_order& order, instant now) {
  const auto run = runs_on_->start(rules_.machine, order, now);
  core_.started(order.task, run);
  if (usage_ != nullptr)
    usage_->started(order.task, *core_.find(order.task), now);
  running_.push_back({order.task, order.owner, run});
  ++of(order.owner).running;
  queue_event event{queue_event_kind::start, {}, {}, {}};
  event.ended = {0, order.owner, {order.task, rules_.machine, task_outcome::finished, now}};
  tell(order.owner, std::move(event));
}

bool queue_guard::end(run_number run, const task_end& end, instant now) {
  const auto it = std::ranges::find(running_, run, &running_task::run);
  if (it == running_.end())
    return false;
  const auto scheduler = it->scheduler;
  running_.erase(it);
  --of(scheduler).running;
  stopped(end.task, now);
  if (!planted(planted_fault::forgotten_end))
    tell_end(scheduler, end);
  if (planted(planted_fault::doubled_end))
    tell_end(scheduler, end);
  serve(now);
  return true;
}

void queue_guard::stopped(const task_id& task, instant now) {
  core_.ended(task);
  if (usage_ != nullptr)
    usage_->ended(task, now);
}

void queue_guard::tell(scheduler_id scheduler, queue_event event) {
  auto& with = of(scheduler);
  with.events.put(std::move(event));
  with.due = true;
  with.told_idle = false;
  with.idle_sent.reset();
}

void queue_guard::tell_end(scheduler_id scheduler, const task_end& end) {
  auto& with = of(scheduler);
  queue_event event{queue_event_kind::end, {}, {}, {}};
  event.ended = {++with.ends, scheduler, end};
  if (with.kept.empty())
    with.kept_since = end.at;
  with.kept.push_back(event.ended);
  tell(scheduler, std::move(event));
}

// -- signs of life ------------------------------------------------------------------------------

std::vector<scheduler_id> queue_guard::due() {
  std::vector<scheduler_id> all;
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    if (std::exchange(of(s).due, false) && of(s).epoch > 0)
      all.push_back(s);
  return all;
}

bool queue_guard::asks(scheduler_id scheduler, instant now) const {
  const auto& with = sessions_[scheduler];
  const bool is_busy = busy(scheduler);
  return !with.joined || (leaves_ && !with.told_leaving) ||
         (is_busy ? now >= with.lease_until : !with.told_idle && !rules_.pulsed) ||
         (!with.kept.empty() && now >= with.kept_since + rules_.patience);
}

std::vector<scheduler_id> queue_guard::overdue(instant now) {
  std::vector<scheduler_id> all;
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    if (const auto& with = sessions_[s]; with.epoch > 0 && (asks(s, now) || with.orders.owes() ||
                                                            with.events.due(now, rules_.patience)))
      all.push_back(s);
  return all;
}

std::vector<scheduler_id> queue_guard::watched() const {
  std::vector<scheduler_id> all;
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    if (sessions_[s].joined && busy(s))
      all.push_back(s);
  return all;
}

queue_beat queue_guard::notice(scheduler_id scheduler, instant now) const {
  const auto& with = sessions_[scheduler];
  queue_beat beat{rules_.machine, with.life, scheduler, with.epoch, now, with.orders.seen()};
  beat.first_event = with.events.last() + 1;
  return beat;
}

queue_beat queue_guard::beat(scheduler_id scheduler, instant now) {
  auto& with = of(scheduler);
  auto beat = notice(scheduler, now);
  beat.busy = busy(scheduler);
  beat.joins = !with.joined;
  beat.leaves = leaves_;
  beat.asks = asks(scheduler, now);
  with.due = false;
  with.orders.answered();
  if (!beat.busy && !with.idle_sent)
    with.idle_sent = now;
  if (leaves_ && !with.leave_sent)
    with.leave_sent = now;
  if (beat.asks)
    with.kept_since = now;
  if (beat.joins) {
    for (const auto& r : running_)
      if (r.scheduler == scheduler)
        beat.running.push_back(r.task);
    beat.ended = with.kept;
  } else if (auto run = with.events.next(now, rules_.patience)) {
    beat.first_event = run->first;
    beat.events = std::move(run->items);
    with.due = with.events.due(now, rules_.patience);
  }
  return beat;
}

queue_pulse queue_guard::pulse(scheduler_id scheduler, instant now) const {
  return {rules_.machine, 1, rules_.life, scheduler, sessions_[scheduler].epoch, now};
}

std::vector<std::pair<task_id, scheduler_id>> queue_guard::running_for() const {
  std::vector<std::pair<task_id, scheduler_id>> tasks;
  for (const auto& r : running_)
    tasks.emplace_back(r.task, r.scheduler);
  return tasks;
}

bool queue_guard::keeps_end(scheduler_id scheduler, const task_id& task) const {
  return std::ranges::any_of(sessions_.at(scheduler).kept,
                             [&](const machine_event& e) { return e.end.task == task; });
}

void queue_guard::leave() {
  leaves_ = true;
  for (auto& with : sessions_)
    with.due = true;
}

bool queue_guard::idle() const {
  for (scheduler_id s = 0; s < sessions_.size(); ++s)
    if (busy(s))
      return false;
  return core_.free() == rules_.capacity && core_.waiting() == 0;
}

} // namespace troupe
