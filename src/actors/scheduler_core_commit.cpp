#include "actors/scheduler_core.hpp"
#include "model/planted_faults.hpp"

#include <algorithm>
#include <utility>

// How a scheduler commits what it has decided on and books the answers: that part of
// scheduler_core.
namespace troupe {

namespace {

/// What is decided on was foreseen to follow a grant on a machine that was not made.
template <class Batch>
void foresee_without_grant(Batch& batch, machine_id machine) {
  for (auto& d : batch) {
    if (d.machine == machine && d.version > 0)
      --d.version;
    for (auto& other : d.others)
      if (other.machine == machine && other.seen_version > 0)
        --other.seen_version;
  }
}

} // namespace

commit_request scheduler_core::request(owner_id owner, const pending_commit& commit) const {
  const auto& to = channels_[owner];
  commit_request r{id_,
                   commit.id,
                   to.pending.empty() ? commit.id : to.pending.front().id,
                   survival_ ? survival_->safe(owner) : to.reports_seen,
                   {},
                   commit.mode,
                   commit.settles,
                   {},
                   commit.offers};
  r.placements.reserve(commit.placements.size());
  for (const auto& d : commit.placements) {
    for (auto other : d.others) {
      other.index = static_cast<std::uint32_t>(r.placements.size());
      r.alternatives.push_back(other);
    }
    r.placements.push_back({d.task.task, d.machine, d.version, d.task.demand, d.task.runtime,
                            d.task.priority(), d.task.tenant(), d.preempts});
  }
  return r;
}

std::vector<scheduler_core::outgoing> scheduler_core::commit(instant now) {
  busy_.end(books_);
  std::vector<outgoing> out;
  packed_.assign(batch_.size(), false);
  for (std::size_t i = 0; i < batch_.size(); ++i)
    if (!packed_[i])
      out.push_back(pack(i, now));
  batch_.clear();
  decision_quota_ = std::min(2 * decision_quota_, most_at_a_time());
  return out;
}

scheduler_core::outgoing scheduler_core::pack(std::size_t from, instant now) {
  const auto to = owner_of(batch_[from].machine);
  const auto number = batch_[from].transaction;
  auto& first = find_transaction(number);
  const bool apart = first.mode != commit_mode::each;
  pending_commit next{++last_commit_, now, false, {}, first.mode};
  next.offers = offers_life_;
  next.placements.reserve(batch_.size() - from);
  auto latest = ~std::uint64_t{0};
  bool elsewhere = false;
  for (auto i = from; i < batch_.size(); ++i) {
    auto& d = batch_[i];
    if (packed_[i] || (apart && d.transaction != number))
      continue;
    if (owner_of(d.machine) != to) {
      elsewhere = true;
      continue;
    }
    auto& of = find_transaction(d.transaction);
    if (!apart && of.mode != commit_mode::each)
      continue;
    if (std::exchange(latest, d.transaction) != d.transaction)
      ++of.open;
    if (limits_.source == view_source::offers)
      offers_.use(d.machine, d.task.demand);
    next.placements.push_back(std::move(d));
    packed_[i] = true;
  }
  // What stands or falls as one has commits of its own, to be held if there are several.
  if (first.mode == commit_mode::together && elsewhere)
    next.mode = first.mode = commit_mode::hold;
  auto& pending = channels_[to].pending;
  pending.push_back(std::move(next));
  ++books_.own().commits;
  return {to, request(to, pending.back())};
}

void scheduler_core::accept(const decided& d, instant now) {
  if (survival_)
    survival_->running[d.task.task] = d.machine;
  auto& [counts, sample] = book_of(d.task);
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += !granted_.insert(d.task.task).second;
#endif
  const auto delay = now - d.task.submitted;
  --counts.in_commit;
  ++counts.running;
  books_.wait(d.task.group(), now, -1);
  if (survival_ && survival_->unsure.contains(d.task.task)) {
    ++find_transaction(d.transaction).granted;
    return;
  }
  counts.placed += planted(planted_fault::miscounted_placement) ? 2 : 1;
  if (d.task.of->submitted >= limits_.warmup) {
    sample.delay.add(to_seconds(delay));
    sample.quality.add(machines_->score(d.machine, rules_.class_of(d.task)));
  }
  sample.constraint_violations += rules_.violated(d.task, d.machine);
  if (limits_.source == view_source::snapshots) {
    sample.placement_age.add(to_seconds(d.age));
    ++sample.attempts.granted_by_age[age_bin(d.age, limits_.age_bin)];
  }
  if (d.task.attempts == 0)
    ++sample.attempts.at_once;
  else
    sample.attempts.later.add(d.task.attempts + 1);
  ++find_transaction(d.transaction).granted;
  if (limits_.max_empty_attempts > 0)
    jobs_.note_placed(d.task.task.job);
  outcomes_.push_back({d.task.task, d.machine, true, {}, delay});
}

void scheduler_core::keep_away(machine_id machine, instant now) {
  if (limits_.keep_away > duration::zero())
    shunned_.add(machine, now + limits_.keep_away);
}

void scheduler_core::refuse(const decided& d, const rejection& why, instant now) {
  auto& sample = book_of(d.task).sample;
  auto& of = find_transaction(d.transaction);
  sample.attempts.wasted += of.cost / of.tasks;
  if (reclaim_ && limits_.source == view_source::snapshots)
    reclaim_->clear(d.machine);
  rules_.leave(*d.task.of, d.machine);
  outcomes_.push_back({d.task.task, d.machine, false, why.cause, duration{0}});
  if (why.cause == conflict_cause::aborted) {
    ++sample.attempts.aborted;
    return;
  }
  of.conflicted = true;
  keep_away(d.machine, now);
  ++sample.conflicts;
  ++sample.conflicts_by_cause[static_cast<std::size_t>(why.cause)];
  if (limits_.source == view_source::snapshots) {
    ++sample.attempts.refused_by_age[age_bin(d.age, limits_.age_bin)];
    sample.attempts.refused_age.add(to_seconds(d.age));
  }
}

const std::vector<scheduler_core::decided>* scheduler_core::find(owner_id owner,
                                                                 commit_id id) const {
  for (const auto& c : channels_.at(owner).pending)
    if (c.id == id)
      return &c.placements;
  return nullptr;
}

std::vector<scheduler_core::outgoing> scheduler_core::answer(const commit_reply& reply,
                                                             instant now) {
  auto& pending = channels_.at(reply.owner).pending;
  const auto it = std::find_if(pending.begin(), pending.end(),
                               [&](const pending_commit& c) { return c.id == reply.id; });
  if (it == pending.end() || it->held)
    return {};
  const auto number = it->placements.front().transaction;
  if (it->mode == commit_mode::hold && reply.rejections.empty()) {
    it->held = true;
    divert(*it, reply, now);
    find_transaction(number).held_by.push_back(reply.owner);
    return vote(number, now);
  }
  auto commit = std::move(*it);
  pending.erase(it);
  outcomes_.clear();
  divert(commit, reply, now);
  if (commit.mode == commit_mode::each)
    answer_each(commit, reply, now);
  else
    answer_together(commit, reply, now);
  policy_->learn(outcomes_);
  std::vector<outgoing> settled;
  if (commit.mode == commit_mode::hold)
    settled = vote(number, now);
  else if (commit.mode != commit_mode::each && --find_transaction(number).open == 0)
    close_transaction(number, now);
  book_early(reply.owner);
  check_balance();
  return settled;
}

void scheduler_core::divert(pending_commit& commit, const commit_reply& reply, instant now) {
  if (limits_.candidates > 1)
    std::ranges::for_each(commit.placements, [this](decided& d) { withdraw_alternatives(d); });
  for (const auto& to : reply.diversions) {
    auto& d = commit.placements.at(to.index);
    keep_away(d.machine, now);
    rules_.leave(*d.task.of, d.machine);
    if (limits_.source == view_source::own_tasks) {
      view_.give(d.machine, d.task.demand);
      view_.take(to.machine, d.task.demand);
      if (reclaim_) {
        reclaim_->remove(d.machine, d.task.priority(), d.task.demand);
        reclaim_->add(to.machine, d.task.priority(), d.task.demand);
      }
    }
    d.machine = to.machine;
    rules_.enter(*d.task.of, d.machine);
    ++book_of(d.task).sample.attempts.diverted;
  }
  view_gained_ = view_gained_ || !reply.rejections.empty() || !reply.machines.empty();
  if (limits_.source != view_source::snapshots)
    return;
  for (const auto& m : reply.machines) {
    view_.correct(m.machine, m.free, m.version);
    recharge(reply.owner, reply.id, m.machine);
  }
}

void scheduler_core::correct(const pending_commit& commit, const commit_reply& reply) {
  for (const auto& r : reply.rejections) {
    const auto& d = commit.placements.at(r.index);
    if (tenants_ && commit.charged)
      tenants_->refund(reply.owner, d.task.tenant(), d.task.demand);
    if (limits_.source == view_source::own_tasks) {
      view_.give(d.machine, d.task.demand);
      if (reclaim_)
        reclaim_->remove(d.machine, d.task.priority(), d.task.demand);
      continue;
    }
    if (limits_.source == view_source::offers) {
      if (commit.offers == offers_life_)
        offers_.give_back(d.machine, d.task.demand);
      continue;
    }
    view_.correct(d.machine, r.free, r.version);
    recharge(reply.owner, reply.id, d.machine);
    foresee_without_grant(batch_, d.machine);
  }
}

void scheduler_core::answer_each(const pending_commit& commit, const commit_reply& reply,
                                 instant now) {
  auto refused = reply.rejections.begin();
  for (std::uint32_t i = 0; i < commit.placements.size(); ++i) {
    if (refused != reply.rejections.end() && refused->index == i)
      ++refused;
    else
      accept(commit.placements[i], now);
  }
  correct(commit, reply);
  // From the last transaction to the first, so that the first one refused ends up at the head.
  for (auto r = reply.rejections.rbegin(); r != reply.rejections.rend();) {
    const auto number = commit.placements[r->index].transaction;
    again_.clear();
    marks_.clear();
    for (; r != reply.rejections.rend() && commit.placements[r->index].transaction == number; ++r) {
      const auto& d = commit.placements[r->index];
      refuse(d, *r, now);
      again_.push_back(d.task);
      if (limits_.retry.wait_for_refresh)
        marks_.push_back({machines_->place_of(d.machine).partition, r->partition_version});
    }
    std::ranges::reverse(again_);
    if (limits_.one_job) {
      auto& of = find_transaction(number);
      of.back.insert(of.back.end(), again_.begin(), again_.end());
      of.marks.insert(of.marks.end(), marks_.begin(), marks_.end());
      continue;
    }
    retry(again_, marks_, duration::zero(), now);
  }
  auto latest = ~std::uint64_t{0};
  for (const auto& d : commit.placements)
    if (std::exchange(latest, d.transaction) != d.transaction &&
        --find_transaction(d.transaction).open == 0)
      close_transaction(d.transaction, now);
}

void scheduler_core::answer_together(const pending_commit& commit, const commit_reply& reply,
                                     instant now) {
  auto& of = find_transaction(commit.placements.front().transaction);
  const auto accepted = commit.mode == commit_mode::launch ? of.accepted : now;
  if (reply.rejections.empty())
    for (const auto& d : commit.placements)
      accept(d, accepted);
  correct(commit, reply);
  for (const auto& r : reply.rejections) {
    const auto& d = commit.placements[r.index];
    refuse(d, r, now);
    of.back.push_back(d.task);
    if (limits_.retry.wait_for_refresh && r.cause != conflict_cause::aborted)
      of.marks.push_back({machines_->place_of(d.machine).partition, r.partition_version});
  }
}

std::vector<scheduler_core::outgoing> scheduler_core::vote(std::uint64_t id, instant now) {
  auto& of = find_transaction(id);
  if (--of.open > 0)
    return {};
  const auto mode = of.back.empty() ? commit_mode::launch : commit_mode::release;
  of.accepted = now;
  of.open = static_cast<std::uint32_t>(of.held_by.size());
  std::vector<outgoing> out;
  for (auto owner : of.held_by) {
    auto& pending = channels_[owner].pending;
    const auto held = std::ranges::find_if(pending, [&](const pending_commit& c) {
      return c.held && c.placements.front().transaction == id;
    });
    pending_commit next{
      ++last_commit_, now,           held->sent_again, std::move(held->placements), mode, held->id,
      false,          held->charged, held->offers};
    pending.erase(held);
    pending.push_back(std::move(next));
    out.emplace_back(owner, request(owner, pending.back()));
    ++books_.own().commits;
  }
  if (out.empty())
    close_transaction(id, now);
  return out;
}

void scheduler_core::recharge(owner_id owner, commit_id after, machine_id only) {
  const auto charge = [&](const std::vector<decided>& placements) {
    for (const auto& d : placements)
      if (d.machine == only)
        view_.take(d.machine, d.task.demand);
  };
  for (const auto& c : channels_[owner].pending)
    if (c.charged_by() > after || c.sent_again)
      charge(c.placements);
  charge(batch_);
}

void scheduler_core::recharge(std::span<const decided> placements, partition_id p) {
  for (const auto& d : placements)
    if (machines_->place_of(d.machine).partition == p)
      view_.take(d.machine, d.task.demand);
}

std::vector<scheduler_core::outgoing> scheduler_core::overdue(instant now) {
  std::vector<outgoing> out;
  for (owner_id o = 0; o < channels_.size(); ++o)
    for (auto& c : channels_[o].pending)
      if (now - c.sent >= limits_.commit_timeout) {
        c.sent = now;
        out.emplace_back(o, request(o, c));
        if (c.held) // only to say that it is still wanted
          continue;
        c.sent_again = true;
        ++books_.own().retransmits;
      }
  return out;
}

} // namespace troupe
