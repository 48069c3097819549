#include "actors/scheduler/commits/commit_answers.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace troupe {

std::vector<outgoing_commit> commit_answers::book(const commit_reply& reply, instant now) {
  auto* open = tables_.commits.find(reply.owner, reply.id);
  if (open == nullptr || open->held)
    return {};
  const auto number = open->transaction();
  if (open->mode == commit_mode::hold && reply.rejections.empty()) {
    open->held = true;
    if (auto* watch = tables_.watching(open->placements.front().task.task.job)) {
      auto& e = watch->note(watched::held, tables_.setup.id);
      e.owner = reply.owner;
      e.count = open->placements.size();
    }
    divert(*open, reply, now);
    tables_.transactions[number].held_by.push_back(reply.owner);
    return vote(number, now);
  }
  auto commit = tables_.commits.take(reply.owner, reply.id);
  results_.begin();
  divert(commit, reply, now);
  if (commit.mode == commit_mode::each)
    book_each(commit, reply, now);
  else
    book_together(commit, reply, now);
  results_.tell();
  std::vector<outgoing_commit> settling;
  if (commit.mode == commit_mode::hold)
    settling = vote(number, now);
  else if (commit.mode != commit_mode::each && --tables_.transactions[number].open == 0)
    retries_.close(number, now);
  reports_.book_kept(reply.owner);
  return settling;
}

void commit_answers::divert(open_commit& commit, const commit_reply& reply, instant now) {
  if (tables_.setup.limits.candidates > 1)
    for (auto& d : commit.placements)
      picker_.withdraw_alternatives(d);
  for (const auto& to : reply.diversions)
    results_.divert(commit.placements.at(to.index), to.machine, now);
  updates_.learn(reply);
}

void commit_answers::note_mark(std::vector<refresh_mark>& marks, const decided_placement& d,
                               const rejection& why) const {
  if (tables_.setup.limits.retry.wait_for_refresh)
    marks.push_back({tables_.setup.partition_of(d.machine), why.partition_version});
}

void commit_answers::book_each(const open_commit& commit, const commit_reply& reply, instant now) {
  for (const auto& d : commit.placements)
    tables_.setup.machines.prefetch_score(d.machine);
  auto refused = reply.rejections.begin();
  for (std::uint32_t i = 0; i < commit.placements.size(); ++i) {
    if (refused != reply.rejections.end() && refused->index == i)
      ++refused;
    else
      results_.grant(commit.placements[i], now);
  }
  updates_.refuse(commit, reply);
  refuse_each(commit, reply, now);
  auto latest = ~std::uint64_t{0};
  for (const auto& d : commit.placements)
    if (std::exchange(latest, d.transaction) != d.transaction &&
        --tables_.transactions[d.transaction].open == 0)
      retries_.close(d.transaction, now);
}

void commit_answers::refuse_each(const open_commit& commit, const commit_reply& reply,
                                 instant now) {
  // From the last transaction to the first, so that the first one refused ends up at the head.
  for (auto r = reply.rejections.rbegin(); r != reply.rejections.rend();) {
    const auto number = commit.placements[r->index].transaction;
    again_.clear();
    marks_.clear();
    for (; r != reply.rejections.rend() && commit.placements[r->index].transaction == number; ++r) {
      const auto& d = commit.placements[r->index];
      results_.refuse(d, *r, now);
      again_.push_back(d.task);
      note_mark(marks_, d, *r);
    }
    std::ranges::reverse(again_);
    if (tables_.setup.limits.one_job) {
      auto& of = tables_.transactions[number];
      for (const auto& task : again_)
        tables_.transactions.refuse(number, task);
      of.marks.insert(of.marks.end(), marks_.begin(), marks_.end());
      continue;
    }
    retries_.retry(again_, marks_, tables_.transactions[number], now);
  }
}

void commit_answers::book_together(const open_commit& commit, const commit_reply& reply,
                                   instant now) {
  auto& of = tables_.transactions[commit.transaction()];
  const auto accepted = commit.mode == commit_mode::launch ? of.accepted : now;
  if (reply.rejections.empty())
    for (const auto& d : commit.placements)
      results_.grant(d, accepted);
  updates_.refuse(commit, reply);
  for (const auto& r : reply.rejections) {
    const auto& d = commit.placements[r.index];
    results_.refuse(d, r, now);
    tables_.transactions.refuse(commit.transaction(), d.task);
    if (r.cause != conflict_cause::aborted)
      note_mark(of.marks, d, r);
  }
}

std::vector<outgoing_commit> commit_answers::vote(std::uint64_t number, instant now) {
  return --tables_.transactions[number].open > 0 ? std::vector<outgoing_commit>{}
                                                 : settle(number, now);
}

std::vector<outgoing_commit> commit_answers::launch_told(instant now) {
  std::vector<outgoing_commit> all;
  std::erase_if(for_store_, [&](std::uint64_t number) {
    if (tables_.failover->has_untold_width(tables_.transactions[number].job))
      return false;
    std::ranges::move(settle(number, now), std::back_inserter(all));
    return true;
  });
  return all;
}

std::vector<outgoing_commit> commit_answers::settle(std::uint64_t number, instant now) {
  auto& of = tables_.transactions[number];
  const auto mode = of.back.empty() ? commit_mode::launch : commit_mode::release;
  if (mode == commit_mode::launch && tables_.failover &&
      tables_.failover->has_untold_width(of.job)) {
    of.open = 1; // the answer of the store
    for_store_.push_back(number);
    return {};
  }
  of.accepted = now;
  of.open = static_cast<std::uint32_t>(of.held_by.size());
  std::vector<outgoing_commit> out;
  for (auto owner : of.held_by) {
    auto next = tables_.commits.take_held(owner, number);
    next.settles = std::exchange(next.id, 0);
    next.sent = now;
    next.mode = mode;
    next.held = false;
    out.push_back(sender_.send(owner, std::move(next)));
  }
  if (out.empty())
    retries_.close(number, now);
  return out;
}

} // namespace troupe
