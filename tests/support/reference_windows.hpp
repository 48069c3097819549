#pragma once

#include "support/reference_disciplines.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

/// The schedulers of reference_disciplines.hpp on processors some of which have windows, as plain
/// again. They look at each part of the processors by itself.
namespace troupe::reference {

/// A time in which processors are kept from all jobs, or from those that are not of a tenant.
struct window {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t tenant = -1; ///< -1: from all
};

/// Processors with the same windows.
struct part {
  std::int64_t processors = 0;
  std::vector<window> windows;
};

/// Amounts of processors, by part.
using amounts = std::vector<std::int64_t>;

/// Returns whether jobs of a tenant may be on a part in [from, to).
inline bool is_open(const part& p, std::int64_t tenant, std::int64_t from, std::int64_t to) {
  return std::ranges::none_of(p.windows, [&](const window& w) {
    return (w.tenant < 0 || w.tenant != tenant) && from < w.to && w.from < to;
  });
}

/// What a job of a tenant takes of each part in [from, to), where this is free; nothing if that is
/// too little. Those parts that close soonest come first.
inline amounts choose_parts(const std::vector<part>& parts, std::int64_t tenant,
                            std::int64_t processors, std::int64_t from, std::int64_t to,
                            const amounts& room) {
  const auto closes = [&](const part& p) {
    auto at = std::numeric_limits<std::int64_t>::max();
    for (const auto& w : p.windows)
      if ((w.tenant < 0 || w.tenant != tenant) && w.from > from)
        at = std::min(at, w.from);
    return at;
  };
  std::vector<std::pair<std::int64_t, std::size_t>> open;
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (is_open(parts[p], tenant, from, to))
      open.emplace_back(closes(parts[p]), p);
  std::ranges::sort(open);
  amounts taken(parts.size());
  for (const auto& [_, p] : open) {
    taken[p] = std::clamp<std::int64_t>(room[p], 0, processors);
    processors -= taken[p];
  }
  return processors == 0 ? taken : amounts{};
}

/// Returns whether there is room for a share of each part.
inline bool holds(const amounts& room, const amounts& share) {
  for (std::size_t p = 0; p < room.size(); ++p)
    if (share[p] > 0 && share[p] > room[p])
      return false;
  return true;
}

class parts_pool {
public:
  parts_pool(std::vector<rigid_job> jobs, std::vector<part> parts, discipline how)
    : jobs_(std::move(jobs)), parts_(std::move(parts)), how_(how) {}

  std::vector<std::int64_t> starts() {
    start_.assign(jobs_.size(), -1);
    reserved_.assign(jobs_.size(), never);
    share_.assign(jobs_.size(), {});
    std::set<std::int64_t> events;
    for (const auto& j : jobs_)
      events.insert(j.submitted);
    for (const auto& p : parts_)
      for (const auto& w : p.windows)
        events.insert(w.to);
    std::size_t next = 0;
    for (auto due = never; !events.empty() || due < never; due = next_reservation()) {
      now_ = events.empty() ? due : std::min(due, *events.begin());
      events.erase(now_);
      bool early = false;
      std::erase_if(running_, [&](std::size_t j) {
        const bool over = start_[j] + jobs_[j].runtime <= now_;
        early = early || (over && start_[j] + jobs_[j].estimate > now_);
        return over;
      });
      if (how_ == discipline::conservative && early)
        for (const auto j : queue_)
          reserve(j);
      for (; next < jobs_.size() && jobs_[next].submitted == now_; ++next) {
        queue_.push_back(next);
        if (how_ == discipline::conservative)
          reserve(next);
      }
      for (const auto j : starting()) {
        start_[j] = now_;
        events.insert(now_ + jobs_[j].runtime);
      }
    }
    return start_;
  }

private:
  static constexpr auto never = std::numeric_limits<std::int64_t>::max();

  std::int64_t next_reservation() const {
    auto next = never;
    for (const auto j : queue_)
      if (reserved_[j] > now_)
        next = std::min(next, reserved_[j]);
    return next;
  }

  amounts choose(const rigid_job& j, std::int64_t at, const amounts& room) const {
    return choose_parts(parts_, j.tenant, j.processors, at, at + j.estimate, room);
  }

  amounts free() const {
    amounts n;
    for (const auto& p : parts_)
      n.push_back(p.processors);
    for (const auto j : running_)
      for (std::size_t p = 0; p < n.size(); ++p)
        n[p] -= share_[j][p];
    return n;
  }

  bool start(std::size_t j, const amounts& room, std::vector<std::size_t>& started) {
    auto taken = choose(jobs_[j], now_, room);
    if (taken.empty())
      return false;
    begin(j, std::move(taken), started);
    return true;
  }

  void begin(std::size_t j, amounts taken, std::vector<std::size_t>& started) {
    share_[j] = std::move(taken);
    start_[j] = now_;
    running_.push_back(j);
    started.push_back(j);
  }

  std::vector<std::size_t> starting() {
    std::vector<std::size_t> started;
    if (how_ == discipline::conservative) {
      for (const auto j : queue_)
        if (reserved_[j] <= now_ && !stays_open(j)) {
          reserved_[j] = never;
          reserve(j);
        }
      for (const auto j : queue_)
        if (reserved_[j] <= now_ && holds(free(), share_[j]))
          begin(j, share_[j], started);
    } else {
      std::size_t head = 0;
      while (head < queue_.size() && start(queue_[head], free(), started))
        ++head;
      if (how_ == discipline::easy && head < queue_.size())
        backfill(head, started);
    }
    std::erase_if(queue_, [&](std::size_t j) { return start_[j] >= 0; });
    return started;
  }

  bool stays_open(std::size_t j) const {
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (share_[j][p] > 0 && !is_open(parts_[p], jobs_[j].tenant, now_, now_ + jobs_[j].estimate))
        return false;
    return true;
  }

  std::int64_t expected_end(std::size_t j) const {
    return std::max(now_, start_[j] + jobs_[j].estimate);
  }

  void backfill(std::size_t head, std::vector<std::size_t>& started) {
    std::set<std::int64_t> times;
    for (const auto j : running_)
      times.insert(expected_end(j));
    for (const auto& p : parts_)
      for (const auto& w : p.windows)
        if (w.to > now_)
          times.insert(w.to);
    auto shadow = never;
    amounts spare;
    for (const auto at : times) {
      auto then = free();
      for (const auto j : running_)
        if (expected_end(j) <= at)
          for (std::size_t p = 0; p < then.size(); ++p)
            then[p] += share_[j][p];
      if (const auto taken = choose(jobs_[queue_[head]], at, then); !taken.empty()) {
        shadow = at;
        spare = then;
        for (std::size_t p = 0; p < spare.size(); ++p)
          spare[p] -= taken[p];
        break;
      }
    }
    for (auto i = head + 1; i < queue_.size(); ++i) {
      const auto j = queue_[i];
      const bool ends_before = now_ + jobs_[j].estimate <= shadow;
      auto room = free();
      for (std::size_t p = 0; p < room.size() && !ends_before; ++p)
        room[p] = std::min(room[p], spare[p]);
      if (start(j, room, started) && !ends_before)
        for (std::size_t p = 0; p < spare.size(); ++p)
          spare[p] -= share_[j][p];
    }
  }

  /// What is expected to be free at an instant, to all but one job.
  amounts free_at(std::int64_t at, std::size_t but) const {
    amounts n;
    for (const auto& p : parts_)
      n.push_back(p.processors);
    const auto take = [&](std::size_t j) {
      for (std::size_t p = 0; p < n.size(); ++p)
        n[p] -= share_[j][p];
    };
    for (const auto j : running_)
      if (start_[j] + jobs_[j].estimate > at)
        take(j);
    for (const auto j : queue_)
      if (j != but && reserved_[j] <= at && at < reserved_[j] + jobs_[j].estimate)
        take(j);
    return n;
  }

  /// Gives a job the earliest reservation, if that is before the one that it has.
  void reserve(std::size_t job) {
    std::set<std::int64_t> changes{now_};
    for (const auto j : running_)
      changes.insert(start_[j] + jobs_[j].estimate);
    for (const auto j : queue_)
      if (j != job && reserved_[j] < never) {
        changes.insert(reserved_[j]);
        changes.insert(reserved_[j] + jobs_[j].estimate);
      }
    for (const auto& p : parts_)
      for (const auto& w : p.windows)
        changes.insert(w.to);
    changes.erase(changes.begin(), changes.lower_bound(now_));
    for (const auto at : changes) {
      if (at >= reserved_[job])
        return;
      auto room = free_at(at, job);
      for (auto i = changes.upper_bound(at); i != changes.end() && *i < at + jobs_[job].estimate;
           ++i) {
        const auto then = free_at(*i, job);
        for (std::size_t p = 0; p < room.size(); ++p)
          room[p] = std::min(room[p], then[p]);
      }
      if (auto taken = choose(jobs_[job], at, room); !taken.empty()) {
        reserved_[job] = at;
        share_[job] = std::move(taken);
        return;
      }
    }
  }

  std::vector<rigid_job> jobs_;
  std::vector<part> parts_;
  discipline how_;
  std::int64_t now_ = 0;
  std::vector<std::int64_t> start_;    ///< by job; -1: not yet
  std::vector<std::int64_t> reserved_; ///< by job that waits
  std::vector<amounts> share_;         ///< by job: what it has, or has reserved, of each part
  std::vector<std::size_t> queue_;
  std::vector<std::size_t> running_;
};

inline std::vector<std::int64_t> starts_with_windows(const std::vector<rigid_job>& jobs,
                                                     const std::vector<part>& parts,
                                                     discipline how) {
  return parts_pool{jobs, parts, how}.starts();
}

} // namespace troupe::reference
