#include "actors/owner_guard.hpp"

#include "model/planted_faults.hpp"

#include <algorithm>

namespace troupe {

owner_guard::owner_guard(owner_core& core, const catalog& machines,
                         std::span<const partition_id> partitions, std::vector<incarnation> lives,
                         const owner_guard_rules& rules, instant now)
  : core_(&core),
    rules_(rules),
    deadline_(now + rules.old_lease + rules.machine_timeout),
    opens_(rules.epoch > 1 && core.outbox() == nullptr ? now + rules.resend_after : instant::max()),
    lease_from_(now),
    schedulers_(lives.size()) {
  core.survive(rules.epoch);
  for (auto p : partitions)
    for (auto m : machines.members(p)) {
      machines_[m];
      core.remove(m, now);
    }
  awaited_ = planted(planted_fault::trusted_claim) && rules.epoch > 1 ? 0 : machines_.size();
  for (scheduler_id s = 0; s < lives.size(); ++s)
    schedulers_[s].life = lives[s];
}

// -- machines -----------------------------------------------------------------------------------

owner_guard::response owner_guard::hear(const machine_beat& beat, instant now) {
  const auto known = machines_.find(beat.machine);
  if (known == machines_.end())
    return {};
  if (beat.epoch > rules_.epoch)
    deposed_ = true;
  if (deposed_)
    return {};
  auto& with = known->second;
  response answer;
  if (beat.life > with.life) {
    if (with.joined)
      give_up(beat.machine, with, now);
    with.life = beat.life;
    answer.new_life = true;
  }
  const bool settled = knows_all_ || (ready_ && with.given_up);
  const bool too_late = settled && beat.epoch > 0 && !with.joined &&
                        (beat.epoch < rules_.epoch || !beat.running.empty() || !beat.ended.empty());
  if (too_late && beat.life == with.life)
    with.life = beat.life + 1;
  answer.word = owner_word{core_->id(), rules_.epoch, beat.machine, with.life, beat.sent};
  auto& word = *answer.word;
  if (beat.life < with.life || beat.epoch < rules_.epoch || (!with.joined && !beat.joins)) {
    word.wants_all = true;
    return answer;
  }
  if (!with.joined)
    join(with, beat, now);
  with.heard = now;
  if (std::exchange(with.silent, false))
    core_->fill(beat.machine, now);
  book(with, beat, now);
  if (beat.leaves)
    core_->empty(beat.machine, now);
  word.renews = may_act(now);
  word.events_heard = with.events_heard;
  word.events_done = with.open.empty() ? with.events_heard : with.open.front().first - 1;
  if (!with.unconfirmed.empty() && with.unconfirmed.front().at + rules_.resend_after <= now) {
    for (auto& order : with.unconfirmed) {
      order.at = now;
      answer.again.push_back(order.what);
    }
  }
  return answer;
}

void owner_guard::join(machine_session& with, const machine_beat& beat, instant now) {
  core_->restore(beat.machine, now);
  for (const auto& claim : beat.running)
    core_->adopt(claim, beat.machine, now);
  with.joined = true;
  ++present_;
  if (!with.given_up)
    --awaited_;
  with.given_up = false;
  for (const auto& e : beat.ended) {
    with.events_heard = e.number;
    if (e.end.outcome != task_outcome::finished && e.end.outcome != task_outcome::failed)
      continue; // it does not run, and that says it all
    core_->end_unbooked(e.scheduler, e.end);
    with.open.emplace_back(e.number, e.end.task);
  }
  open(now);
}

void owner_guard::book(machine_session& with, const machine_beat& beat, instant now) {
  for (const auto& e : beat.ended) {
    if (e.number <= with.events_heard)
      continue;
    with.events_heard = e.number;
    if (core_->end({&e.end, 1}, now) > 0)
      with.open.emplace_back(e.number, e.end.task);
  }
  while (with.orders - with.unconfirmed.size() < beat.orders_seen && !with.unconfirmed.empty())
    with.unconfirmed.pop_front();
}

machine_order owner_guard::order(machine_id machine, machine_order what, instant now) {
  auto& to = machines_.at(machine);
  what.epoch = rules_.epoch;
  what.life = to.life;
  what.number = ++to.orders;
  to.unconfirmed.push_back({what, now});
  return what;
}

void owner_guard::give_up(machine_id machine, machine_session& of, instant now) {
  core_->remove(machine, now);
  --present_;
  const auto life = of.life + 1;
  of = {};
  of.life = life;
  of.given_up = true;
}

void owner_guard::check(instant now) {
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

bool owner_guard::in_session(machine_id machine, incarnation life) const {
  const auto it = machines_.find(machine);
  return !deposed_ && it != machines_.end() && it->second.joined && it->second.life == life;
}

bool owner_guard::orders(machine_id machine, const task_id& task) const {
  const auto it = machines_.find(machine);
  return it != machines_.end() &&
         std::ranges::any_of(it->second.unconfirmed,
                             [&](const sent_order& o) { return o.what.what.task == task; });
}

std::vector<owner_word> owner_guard::calls() const {
  std::vector<owner_word> words;
  for (const auto& [machine, session] : machines_)
    if (!session.joined) {
      words.push_back({core_->id(), rules_.epoch, machine, session.life});
      words.back().wants_all = true;
    }
  return words;
}

// -- schedulers ---------------------------------------------------------------------------------

bool owner_guard::admits(const commit_request& commit) const {
  return ready_ && commit.scheduler < schedulers_.size() &&
         session_of(commit.reports_seen) == base(commit.scheduler);
}

void owner_guard::open(instant now) {
  const bool all = awaited_ == 0;
  const bool some = present_ > 0 && now >= opens_;
  if (knows_all_ || (ready_ && !all) || (!all && !some))
    return;
  const bool again = std::exchange(ready_, true);
  knows_all_ = all;
  for (scheduler_id s = 0; s < schedulers_.size(); ++s)
    open_session(s, schedulers_[s].life, again, now);
}

std::vector<machine_id> owner_guard::unknown() const {
  std::vector<machine_id> machines;
  for (const auto& [machine, session] : machines_)
    if (!knows_all_ && !session.joined && !session.given_up &&
        !planted(planted_fault::unnamed_machine))
      machines.push_back(machine);
  return machines;
}

void owner_guard::scheduler_lives(scheduler_id scheduler, incarnation life, instant now) {
  if (scheduler >= schedulers_.size() || life <= schedulers_[scheduler].life)
    return;
  if (ready_)
    open_session(scheduler, life, false, now);
  else
    schedulers_[scheduler].life = life;
}

void owner_guard::open_session(scheduler_id scheduler, incarnation life, bool again, instant now) {
  auto& with = schedulers_[scheduler];
  const auto before = std::exchange(with.statement, std::nullopt);
  with = {life, std::nullopt, false, std::nullopt, again};
  with.statement = core_->open_session(scheduler, base(scheduler), now);
  with.statement->unknown = unknown();
  if (!before)
    return;
  auto& ended = with.statement->ended;
  ended.insert(ended.begin(), before->ended.begin(), before->ended.end());
}

std::vector<std::pair<scheduler_id, owner_statement>> owner_guard::statements(instant now) {
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

void owner_guard::seen(scheduler_id scheduler, std::uint64_t number) {
  if (scheduler >= schedulers_.size() || session_of(number) != base(scheduler))
    return;
  auto& with = schedulers_[scheduler];
  with.heard = true;
  core_->seen(scheduler, number);
  if (with.statement && number > base(scheduler)) {
    confirm(with.statement->ended);
    with.statement.reset();
  }
  confirm(core_->take_seen_ends());
}

std::optional<capacity_statement> owner_guard::state_capacity(const capacity_call& call,
                                                              instant now) {
  if (!knows_all_ || core_->outbox() == nullptr)
    return std::nullopt;
  if (call.life <= allocator_) {
    core_->outbox()->report(now); // what is included counts as reported
    return core_->state_capacity(now);
  }
  allocator_ = call.life;
  return core_->open_allocator_session(session_base(rules_.epoch, allocator_), now);
}

void owner_guard::confirm(const std::vector<task_end>& ends) {
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
