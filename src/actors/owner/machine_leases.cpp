#include "actors/owner/machine_leases.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Of a task that was lost or killed, nobody has to be told later: it does not run, and that says
/// it all.
bool has_come_to_an_end(const task_end& end) {
  return end.outcome == task_outcome::finished || end.outcome == task_outcome::failed;
}

} // namespace

machine_leases::machine_leases(owner_core& core, const catalog& machines,
                               std::span<const partition_id> partitions,
                               std::vector<incarnation_id> incarnations,
                               const machine_leases_rules& rules, instant now)
  : core_(&core),
    catalog_(&machines),
    rules_(rules),
    deadline_(now + rules.old_lease + rules.machine_timeout),
    opens_(rules.incarnation > 1 && core.outbox() == nullptr ? now + rules.resend_after
                                                             : instant::max()),
    lease_from_(now),
    schedulers_(incarnations.size()) {
  core.watch_failures(rules.incarnation);
  for (auto p : partitions)
    for (auto m : machines.members(p)) {
      auto& session = machines_[m];
      session.given_up = !awaits(m);
      awaited_ += !session.given_up;
      core.remove(m, now);
    }
  if (planted(planted_fault::trusted_claim) && rules.incarnation > 1)
    awaited_ = 0;
  for (scheduler_id s = 0; s < incarnations.size(); ++s)
    schedulers_[s].incarnation = incarnations[s];
}

bool machine_leases::awaits(machine_id machine) const {
  const auto& growth = catalog_->growth();
  return !growth || (rules_.incarnation > 1 && !growth->vacant(machine));
}

// -- machines -----------------------------------------------------------------------------------

machine_leases::response machine_leases::hear(const machine_heartbeat& heartbeat, instant now) {
  const auto known = machines_.find(heartbeat.machine);
  if (known == machines_.end())
    return {};
  if (heartbeat.owner_incarnation > rules_.incarnation)
    deposed_ = true;
  if (deposed_)
    return {};
  auto& with = known->second;
  response answer;
  if (heartbeat.incarnation > with.incarnation) {
    if (with.joined)
      give_up(heartbeat.machine, with, now);
    with.incarnation = heartbeat.incarnation;
    answer.new_incarnation = true;
  }
  const bool settled = knows_all_ || (ready_ && with.given_up);
  const bool too_late = settled && heartbeat.owner_incarnation > 0 && !with.joined &&
                        (heartbeat.owner_incarnation < rules_.incarnation ||
                         !heartbeat.running.empty() || !heartbeat.ended.empty());
  if (too_late && heartbeat.incarnation == with.incarnation)
    with.incarnation = heartbeat.incarnation + 1;
  answer.word = lease_reply{core_->id(), rules_.incarnation, heartbeat.machine, with.incarnation,
                            heartbeat.sent};
  auto& word = *answer.word;
  if (heartbeat.incarnation < with.incarnation ||
      heartbeat.owner_incarnation < rules_.incarnation || (!with.joined && !heartbeat.joins)) {
    word.wants_all = true;
    return answer;
  }
  if (!with.joined)
    join(with, heartbeat, now);
  with.leaves = heartbeat.leaves;
  note_life(heartbeat.machine, with, now);
  book(with, heartbeat, now);
  answer.killed = adapt(with, heartbeat, now);
  if (heartbeat.leaves)
    core_->empty(heartbeat.machine, now);
  word.renews = may_act(now);
  word.events_heard = with.events_heard;
  word.events_done = with.open.empty() ? with.events_heard : with.open.front().first - 1;
  while (auto run = with.orders.next(now, rules_.resend_after))
    std::ranges::move(run->items, std::back_inserter(answer.again));
  return answer;
}

/// Returns the capacity that a machine says to have, or more where its tasks use more.
resources machine_leases::capacity_with_tasks(const machine_heartbeat& of) const {
  const auto& whole = catalog_->machine(of.machine).capacity;
  if (of.capacity.empty() || of.capacity.front().any_negative())
    return whole;
  resources used;
  for (const auto& claim : of.running)
    used += claim.demand;
  auto all = of.capacity.front();
  for (std::size_t i = 0; i < resource_kinds; ++i)
    all.amount[i] = std::max(all.amount[i], used.amount[i]);
  return whole.fits(all) ? all : whole;
}

machine_leases::process_response machine_leases::hear(const process_heartbeat& heard, instant now) {
  if (heard.to != role::owner || heard.number != core_->id())
    return {};
  if (heard.obeyed > rules_.incarnation)
    deposed_ = true;
  if (deposed_ || heard.obeyed < rules_.incarnation)
    return {};
  process_response answer;
  process_lease lease{role::owner, core_->id(), rules_.incarnation, heard.first, heard.incarnation,
                      heard.sent,  {}};
  bool was_except = false;
  for (auto it = machines_.lower_bound(heard.first);
       it != machines_.end() && it->first - heard.first < heard.count; ++it) {
    auto& [machine, with] = *it;
    if (with.joined && with.incarnation >= heard.incarnation) { // else of another process
      note_life(machine, with, now);
      while (auto run = with.orders.next(now, rules_.resend_after))
        for (auto& order : run->items)
          answer.again.emplace_back(machine, std::move(order));
      was_except = false;
      continue;
    }
    if (!std::exchange(was_except, true))
      lease.except.push_back({machine, 0});
    auto& run = lease.except.back();
    run.count = machine - run.first + 1; // machines of other owners may be among them
  }
  if (may_act(now))
    answer.lease = std::move(lease);
  return answer;
}

void machine_leases::note_life(machine_id machine, machine_session& with, instant now) {
  with.heard = now;
  if (std::exchange(with.silent, false) && !with.leaves)
    core_->fill({machine, with.capacity}, now);
}

void machine_leases::join(machine_session& with, const machine_heartbeat& heartbeat, instant now) {
  core_->restore(heartbeat.machine, now);
  // The statements of `open` have this capacity. Tasks that do not fit into less are lost later.
  with.capacity = capacity_with_tasks(heartbeat);
  with.capacity_said = heartbeat.sent;
  core_->set_capacity({heartbeat.machine, with.capacity}, now);
  for (const auto& claim : heartbeat.running)
    core_->adopt(claim, heartbeat.machine, now);
  with.joined = true;
  ++present_;
  if (!with.given_up)
    --awaited_;
  with.given_up = false;
  for (const auto& e : heartbeat.ended) {
    with.events_heard = e.number;
    if (!has_come_to_an_end(e.end))
      continue;
    core_->end_unbooked(e.scheduler, e.end);
    with.open.emplace_back(e.number, e.end.task);
  }
  open(now);
}

void machine_leases::book(machine_session& with, const machine_heartbeat& heartbeat, instant now) {
  for (const auto& e : heartbeat.ended) {
    if (e.number <= with.events_heard)
      continue;
    with.events_heard = e.number;
    if (core_->end({&e.end, 1}, now) > 0 && has_come_to_an_end(e.end))
      with.open.emplace_back(e.number, e.end.task);
  }
  with.orders.acknowledge(with.orders.session(), heartbeat.orders_seen, now);
}

/// Keeps to what the machine says that it has. Returns the tasks that are thereby lost.
std::vector<task_id> machine_leases::adapt(machine_session& with,
                                           const machine_heartbeat& heartbeat, instant now) {
  const auto& whole = catalog_->machine(heartbeat.machine).capacity;
  const auto& has = heartbeat.capacity.empty() ? whole : heartbeat.capacity.front();
  if (heartbeat.sent < with.capacity_said || has.any_negative() || !whole.fits(has))
    return {};
  with.capacity_said = heartbeat.sent;
  if (has == std::exchange(with.capacity, has))
    return {};
  return core_->set_capacity({heartbeat.machine, has}, now);
}

machine_order machine_leases::order(machine_id machine, machine_order what, instant now) {
  auto& to = machines_.at(machine);
  what.owner_incarnation = rules_.incarnation;
  what.incarnation = to.incarnation;
  what.number = to.orders.last() + 1;
  to.orders.put(std::move(what));
  return std::move(to.orders.next_new(now)->items.front());
}

void machine_leases::give_up(machine_id machine, machine_session& of, instant now) {
  core_->remove(machine, now);
  --present_;
  const auto incarnation = of.incarnation + 1;
  of = {};
  of.incarnation = incarnation;
  of.given_up = true;
}

void machine_leases::check(instant now) {
  for (auto& [machine, session] : machines_) {
    if (session.joined && now - session.heard >= rules_.machine_timeout) {
      give_up(machine, session, now);
    } else if (session.joined && !session.silent && now - session.heard >= rules_.timeout) {
      session.silent = true;
      core_->empty(machine, now);
    }
    if (!session.joined && !session.given_up && now >= deadline_) {
      session.given_up = true;
      --awaited_;
    }
  }
  open(now);
}

bool machine_leases::in_session(machine_id machine, incarnation_id incarnation) const {
  const auto it = machines_.find(machine);
  return !deposed_ && it != machines_.end() && it->second.joined &&
         it->second.incarnation == incarnation;
}

bool machine_leases::orders(machine_id machine, const task_id& task) const {
  const auto it = machines_.find(machine);
  if (it == machines_.end())
    return false;
  const auto& unconfirmed = it->second.orders;
  for (std::size_t i = 0; i < unconfirmed.size(); ++i)
    if (unconfirmed[i].what.task == task)
      return true;
  return false;
}

std::vector<lease_reply> machine_leases::calls() const {
  std::vector<lease_reply> words;
  for (const auto& [machine, session] : machines_)
    if (!session.joined) {
      words.push_back({core_->id(), rules_.incarnation, machine, session.incarnation});
      words.back().wants_all = true;
    }
  return words;
}

// -- schedulers ---------------------------------------------------------------------------------

bool machine_leases::admits(const commit_request& commit) const {
  return ready_ && commit.scheduler < schedulers_.size() &&
         session_of(commit.reports_seen) == base(commit.scheduler);
}

void machine_leases::open(instant now) {
  const bool all = awaited_ == 0;
  const bool some = present_ > 0 && now >= opens_;
  if (knows_all_ || (ready_ && !all) || (!all && !some))
    return;
  const bool again = std::exchange(ready_, true);
  knows_all_ = all;
  for (scheduler_id s = 0; s < schedulers_.size(); ++s)
    open_session(s, schedulers_[s].incarnation, again, now);
}

std::vector<machine_id> machine_leases::unknown() const {
  std::vector<machine_id> machines;
  for (const auto& [machine, session] : machines_)
    if (!knows_all_ && !session.joined && !session.given_up &&
        !planted(planted_fault::unnamed_machine))
      machines.push_back(machine);
  return machines;
}

void machine_leases::scheduler_incarnations(scheduler_id scheduler, incarnation_id incarnation,
                                            instant now) {
  if (scheduler >= schedulers_.size() || incarnation <= schedulers_[scheduler].incarnation)
    return;
  if (ready_)
    open_session(scheduler, incarnation, false, now);
  else
    schedulers_[scheduler].incarnation = incarnation;
}

void machine_leases::open_session(scheduler_id scheduler, incarnation_id incarnation, bool again,
                                  instant now) {
  auto& with = schedulers_[scheduler];
  const auto before = std::exchange(with.statement, std::nullopt);
  with = {incarnation, std::nullopt, false, std::nullopt, again};
  with.statement = core_->open_session(scheduler, base(scheduler), now);
  with.statement->unknown = unknown();
  if (!before)
    return;
  auto& ended = with.statement->ended;
  ended.insert(ended.begin(), before->ended.begin(), before->ended.end());
}

std::vector<std::pair<scheduler_id, owner_statement>> machine_leases::statements(instant now) {
  std::vector<std::pair<scheduler_id, owner_statement>> due;
  for (scheduler_id s = 0; s < schedulers_.size(); ++s) {
    auto& to = schedulers_[s];
    if (!to.statement || to.heard || (to.sent && *to.sent + rules_.resend_after > now))
      continue;
    to.sent = now;
    due.emplace_back(s, *to.statement);
  }
  return due;
}

void machine_leases::seen(scheduler_id scheduler, std::uint64_t number, instant now) {
  if (scheduler >= schedulers_.size() || session_of(number) != base(scheduler))
    return;
  auto& with = schedulers_[scheduler];
  with.heard = true;
  core_->seen(scheduler, number, now);
  if (with.statement && number > base(scheduler)) {
    confirm(with.statement->ended);
    with.statement.reset();
  }
  confirm(core_->take_seen_ends());
}

std::optional<capacity_statement> machine_leases::state_capacity(const capacity_call& call,
                                                                 instant now) {
  if (!knows_all_ || core_->outbox() == nullptr)
    return std::nullopt;
  if (call.incarnation <= allocator_) {
    core_->outbox()->report(now); // what is included counts as reported
    return core_->state_capacity();
  }
  allocator_ = call.incarnation;
  return core_->open_allocator_session(session_base(rules_.incarnation, allocator_), now);
}

void machine_leases::confirm(const std::vector<task_end>& ends) {
  for (const auto& end : ends) {
    const auto of = machines_.find(end.machine);
    if (of == machines_.end())
      continue;
    auto& open = of->second.open;
    const auto it = std::ranges::find(open, end.task, [](const auto& e) { return e.second; });
    if (it != open.end())
      open.erase(it);
  }
}

} // namespace troupe
