#include "actors/sparrow_survival.hpp"

#include "model/planted_faults.hpp"

#include <algorithm>
#include <set>

namespace troupe {

sparrow_survival::sparrow_survival(const sparrow_survival_rules& rules, scheduler_id id,
                                   const catalog& machines, const sparrow_limits& limits,
                                   random_stream random, std::uint32_t own_group, instant now)
  : rules_(rules),
    id_(id),
    began_(now),
    core_(id, machines, limits, random, own_group),
    books_(id, rules.life, 0, rules.stores, rules.retries),
    links_(machines.machines()) {
  core_.survive(rules.retries, now);
}

// -- what it may do -----------------------------------------------------------------------------

bool sparrow_survival::vouched(instant sent, instant now) {
  const bool before = cannot_be_replaced(now);
  vouched_ = std::max(sent, vouched_.value_or(sent));
  return !before && cannot_be_replaced(now);
}

bool sparrow_survival::may_act(instant now) const {
  return rules_.lease == duration::zero() || (vouched_ && now < *vouched_ + rules_.lease);
}

bool sparrow_survival::cannot_be_replaced(instant now) const {
  return vouched_ && now < *vouched_ + rules_.timeout;
}

bool sparrow_survival::knows_machines(instant now) const {
  return joined_ == links_.size() || (joined_ > 0 && now >= began_ + rules_.timeout);
}

std::optional<duration> sparrow_survival::decide(instant now, instant from) {
  return knows_machines(now) ? core_.decide(from) : std::nullopt;
}

void sparrow_survival::place(instant now) {
  core_.place(out_);
  send(now);
}

// -- what is told -------------------------------------------------------------------------------

void sparrow_survival::tell(machine_id machine) {
  if (!std::exchange(links_[machine].due, true))
    due_.push_back(machine);
}

void sparrow_survival::order(machine_id machine, queue_order what, instant now) {
  auto& to = links_[machine];
  if (!to.joined)
    return;
  if (!to.waits())
    to.busy_since = now;
  to.orders.put(std::move(what));
  tell(machine);
}

void sparrow_survival::send(instant now) {
  for (const auto& [machine, entry] : out_.entries)
    order(machine, {queue_order_kind::entry, entry, false, {}}, now);
  for (const auto& [machine, probe] : out_.probes)
    order(machine, {queue_order_kind::probe, {}, false, probe}, now);
  for (const auto& [machine, what] : out_.cancellations) {
    queue_order cancel{queue_order_kind::cancel, {}, false, {}};
    cancel.entry.order.task.job = what.job;
    order(machine, std::move(cancel), now);
  }
  for (const auto& [task, fate] : out_.over)
    books_.over(task, fate);
  out_.clear();
}

std::vector<queue_word> sparrow_survival::words(instant now) {
  std::vector<queue_word> all;
  if (!may_act(now))
    return all;
  for (const auto machine : std::exchange(due_, {})) {
    auto& to = links_[machine];
    to.due = false;
    to.events.answered();
    to.ends_told = to.ends_done;
    auto run = to.orders.next(now, rules_.patience());
    do {
      queue_word word{id_,        rules_.life,      machine,      to.life, to.joined,
                      to.answers, to.events.seen(), to.ends_done, 1,       {}};
      word.first_order = to.orders.last() + 1;
      if (run) {
        word.first_order = run->first;
        word.orders = std::move(run->items);
        run = to.orders.next(now, rules_.patience());
      }
      all.push_back(std::move(word));
    } while (run);
  }
  return all;
}

// -- what machines tell -------------------------------------------------------------------------

bool sparrow_survival::hear(const queue_beat& beat, instant now) {
  if (beat.machine >= links_.size() || beat.scheduler != id_)
    return true;
  if (beat.scheduler_life != rules_.life)
    return beat.scheduler_life < rules_.life;
  auto& from = links_[beat.machine];
  if (beat.life < from.life) { // it has been given up
    tell(beat.machine);
    return true;
  }
  if (!from.joined || beat.life > from.life) {
    if (!beat.joins || !cannot_be_replaced(now))
      return true;
    const bool begun = begin_session(beat, now);
    send(now);
    if (!begun)
      return true;
  }
  from.heard = now;
  if (beat.sent >= from.answers) {
    from.answers = beat.sent;
    from.busy = beat.busy;
  }
  if (beat.leaves && !std::exchange(from.leaves, true))
    core_.retire(beat.machine, out_);
  from.orders.acknowledge(from.orders.session(), beat.orders_seen, now);
  from.events.receive(from.events.session(), beat.first_event, beat.events,
                      [&](const queue_event& event) { book(beat.machine, event, now); });
  if (beat.asks)
    tell(beat.machine);
  take_over(now);
  send(now);
  return true;
}

std::optional<queue_lease> sparrow_survival::hear(const queue_pulse& pulse, instant now) {
  if (pulse.scheduler != id_ || pulse.scheduler_life != rules_.life)
    return std::nullopt;
  queue_lease lease{id_, rules_.life, pulse.first, pulse.life, pulse.sent, {}};
  const auto end = std::min<std::uint64_t>(std::uint64_t{pulse.first} + pulse.count, links_.size());
  for (auto m = pulse.first; m < end; ++m) {
    auto& with = links_[m];
    if (with.joined && with.life >= pulse.life) { // else of another process
      with.heard = now;
      continue;
    }
    auto& except = lease.except;
    if (except.empty() || except.back().first + except.back().count != m)
      except.push_back({m, 0});
    ++except.back().count;
  }
  return may_act(now) ? std::optional{std::move(lease)} : std::nullopt;
}

bool sparrow_survival::begin_session(const queue_beat& beat, instant now) {
  auto& from = links_[beat.machine];
  if (from.joined)
    give_up(beat.machine, now);
  tell(beat.machine);
  const bool has_something = !beat.running.empty() || !beat.ended.empty();
  if (!taking_over() && has_something &&
      !planted(planted_fault::trusted_claim)) { // it could not be waited for any longer
    from.life = beat.life + 1;
    return false;
  }
  const bool due = from.due;
  told_ += !from.told;
  from = {};
  from.due = due;
  from.life = beat.life;
  from.joined = from.told = true;
  const auto session = queue_session(rules_.life, beat.life);
  from.orders.reset(session);
  from.events.reset(session, beat.first_event - 1); // earlier ones are part of what it tells
  ++joined_;
  if (taking_over())
    claims_[beat.machine] = {beat.running, beat.ended};
  if (!beat.leaves)
    core_.restore(beat.machine, out_);
  return true;
}

void sparrow_survival::give_up(machine_id machine, instant now) {
  auto& from = links_[machine];
  from.joined = from.busy = false;
  ++from.life;
  from.orders.reset(queue_session(rules_.life, from.life));
  --joined_;
  claims_.erase(machine);
  core_.remove(machine, now, out_);
}

void sparrow_survival::book(machine_id machine, const queue_event& event, instant now) {
  switch (event.kind) {
  case queue_event_kind::request: {
    const auto answer = core_.hand_out(event.request, out_);
    queue_order what{queue_order_kind::answer, {}, answer.none, {}};
    what.entry.order = answer.order;
    what.entry.group = answer.group;
    order(machine, std::move(what), now);
    break;
  }
  case queue_event_kind::length:
    core_.answer(event.length, out_);
    break;
  case queue_event_kind::start:
    core_.book({{{event.ended.end.task, machine, event.ended.end.at}}, {}}, out_);
    break;
  case queue_event_kind::end:
    if (!ends_claim(machine, event.ended))
      book_end(machine, event.ended);
  }
  send(now);
}

bool sparrow_survival::ends_claim(machine_id machine, const machine_event& ended) {
  const auto claimed = claims_.find(machine);
  if (claimed == claims_.end() || std::erase(claimed->second.running, ended.end.task) == 0)
    return false;
  claimed->second.ended.push_back(ended);
  return true;
}

void sparrow_survival::book_end(machine_id machine, const machine_event& ended) {
  core_.book({{}, {ended.end}}, out_);
  for (const auto& [task, fate] : std::exchange(out_.over, {}))
    books_.over(task, fate);
  booked_.push_back({books_.latest(), machine, links_[machine].life, ended.number});
}

void sparrow_survival::call_machines() {
  const auto all = static_cast<machine_id>(links_.size());
  auto left = rules_.calls;
  for (machine_id n = 0; n < all && left > 0; ++n) {
    const auto m = next_call_;
    next_call_ = m + 1 < all ? m + 1 : 0;
    if (links_[m].joined)
      continue;
    tell(m);
    --left;
  }
}

void sparrow_survival::look_around(instant now) {
  const bool sure = cannot_be_replaced(now);
  if (now - std::exchange(looked_, now) >= rules_.timeout)
    stood_still_until_ = now; // what machines have said meanwhile may still be on its way
  for (machine_id m = 0; m < links_.size(); ++m) {
    const auto& with = links_[m];
    const auto silent_since = std::max({with.heard, with.busy_since, stood_still_until_});
    if (with.joined && with.waits() && sure && now - silent_since >= rules_.machine_timeout)
      give_up(m, now);
    if (with.joined && (with.owes() || with.orders.due(now, rules_.patience())))
      tell(m);
    if (!with.joined && sure && rules_.calls == 0)
      tell(m);
  }
  if (sure && rules_.calls > 0)
    call_machines();
  take_over(now);
  settle_ends(); // there may have been nothing to tell job stores
  send(now);
}

task_places sparrow_survival::places() const {
  auto in = core_.places();
  in.stores = books_.tallies();
  return in;
}

// -- jobs ---------------------------------------------------------------------------------------

void sparrow_survival::deliver(const job_delivery& what, instant now) {
  for (const auto& next : books_.take(what)) {
    if (next.resumed && taking_over()) {
      books_.left.insert(books_.left.end(), next.jobs.begin(), next.jobs.end());
      books_.handed_over(next.store);
      take_over(now);
      send(now);
      continue;
    }
    // No earlier life has seen these.
    std::vector<job> jobs;
    for (const auto& j : next.jobs)
      jobs.push_back(j.what);
    core_.submit(std::move(jobs));
  }
}

void sparrow_survival::confirm(const store_seen& seen, instant now) {
  books_.confirm(seen, now);
  settle_ends();
}

void sparrow_survival::settle_ends() {
  for (; !booked_.empty() && booked_.front().news <= books_.confirmed(); booked_.pop_front()) {
    const auto& end = booked_.front();
    auto& from = links_[end.machine];
    if (from.life == end.life)
      from.ends_done = std::max(from.ends_done, end.number);
  }
}

void sparrow_survival::take_over(instant now) {
  if (!taking_over() || !books_.told_all())
    return;
  const bool all_told = told_ == links_.size();
  const bool stopped = now >= began_ + rules_.old_lease + rules_.machine_timeout;
  const bool nothing_left = books_.left.empty();
  if (!all_told && !stopped && !nothing_left && !planted(planted_fault::trusted_claim))
    return;
  books_.taken_over();
  std::map<task_id, machine_id> runs_on;
  for (const auto& [machine, what] : claims_) {
    for (const auto& task : what.running)
      runs_on[task] = machine;
    for (const auto& e : what.ended)
      runs_on[e.end.task] = machine;
  }
  std::set<task_id> open;
  for (const auto& left : std::exchange(books_.left, {})) {
    core_.resume(left, runs_on);
    for (std::uint32_t i = 0; i < left.what.task_count(); ++i)
      if (!std::ranges::binary_search(left.over, i))
        open.insert({left.what.id, i});
  }
  for (const auto& [machine, what] : std::exchange(claims_, {}))
    for (const auto& e : what.ended)
      if (open.contains(e.end.task))
        book_end(machine, e);
      else
        booked_.push_back({books_.latest(), machine, links_[machine].life, e.number});
}

} // namespace troupe
