#pragma once

#include "support/reference_moldable.hpp"
#include "support/reference_windows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

/// The schedulers of reference_moldable.hpp on the parts of reference_windows.hpp.
namespace troupe::reference {

class moldable_parts {
public:
  moldable_parts(std::vector<moldable_job> jobs, std::vector<part> parts, queueing how, molding by)
    : jobs_(std::move(jobs)), parts_(std::move(parts)), how_(how), by_(by) {}

  std::vector<molded_start> starts() {
    starts_.assign(jobs_.size(), {});
    reserved_.assign(jobs_.size(), never);
    share_.assign(jobs_.size(), {});
    for (const auto& j : jobs_)
      chosen_.push_back(j.requested);
    std::set<std::int64_t> events = window_ends();
    for (const auto& j : jobs_)
      events.insert(j.submitted);
    std::size_t next = 0;
    for (auto due = never; !events.empty() || due < never; due = next_reservation()) {
      now_ = events.empty() ? due : std::min(due, *events.begin());
      events.erase(now_);
      bool early = false;
      std::erase_if(running_, [&](std::size_t j) {
        const bool over = starts_[j].at + as(j).runtime <= now_;
        early = early || (over && starts_[j].at + as(j).estimate > now_);
        return over;
      });
      if (how_ == queueing::conservative && early)
        for (const auto j : queue_)
          if (reserved_[j] > now_)
            reserve(j);
      for (; next < jobs_.size() && jobs_[next].submitted == now_; ++next) {
        queue_.push_back(next);
        if (how_ == queueing::conservative)
          reserve(next);
      }
      while (start_one())
        events.insert(now_ + as(latest_).runtime);
    }
    return starts_;
  }

private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 4;

  using key = std::tuple<std::int64_t, bool, std::int64_t>;

  const width& as(std::size_t j) const { return jobs_[j].widths[chosen_[j]]; }

  std::set<std::int64_t> window_ends() const {
    std::set<std::int64_t> ends;
    for (const auto& p : parts_)
      for (const auto& w : p.windows)
        ends.insert(w.to);
    return ends;
  }

  std::int64_t next_reservation() const {
    auto next = never;
    for (const auto j : queue_)
      if (reserved_[j] > now_)
        next = std::min(next, reserved_[j]);
    return next;
  }

  amounts choose(std::size_t j, const width& w, std::int64_t at, const amounts& room) const {
    return choose_parts(parts_, jobs_[j].tenant, w.processors, at, at + w.estimate, room);
  }

  amounts free() const {
    amounts n;
    for (const auto& p : parts_)
      n.push_back(p.processors);
    for (const auto j : running_)
      subtract(n, share_[j]);
    return n;
  }

  static void subtract(amounts& from, const amounts& what) {
    for (std::size_t p = 0; p < from.size(); ++p)
      from[p] -= what[p];
  }

  static amounts lesser(amounts a, const amounts& b) {
    for (std::size_t p = 0; p < a.size(); ++p)
      a[p] = std::min(a[p], b[p]);
    return a;
  }

  /// `late`: it is to start now, as one that outlives its estimate is to end at any moment.
  key key_of(std::int64_t start, std::int64_t estimate, bool late = false) const {
    return by_ == molding::available ? key{start, late, estimate}
                                     : key{start + estimate, late, start};
  }

  bool start(std::size_t j, amounts share) {
    share_[j] = std::move(share);
    starts_[j] = {now_, as(j).processors};
    running_.push_back(j);
    std::erase(queue_, j);
    latest_ = j;
    return true;
  }

  bool start_one() {
    if (queue_.empty())
      return false;
    if (how_ == queueing::conservative) {
      for (const auto j : queue_)
        if (reserved_[j] <= now_ && !stays_open(j)) {
          reserved_[j] = never;
          reserve(j);
        }
      for (const auto j : queue_)
        if (reserved_[j] <= now_ && holds(free(), share_[j]))
          return start(j, share_[j]);
      return false;
    }
    const auto first = queue_.front();
    shape_first(first);
    if (auto share = choose(first, as(first), now_, free()); !share.empty())
      return start(first, std::move(share));
    return how_ == queueing::easy && backfill(first);
  }

  bool stays_open(std::size_t j) const {
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (share_[j][p] > 0 && !is_open(parts_[p], jobs_[j].tenant, now_, now_ + as(j).estimate))
        return false;
    return true;
  }

  std::int64_t expected_end(std::size_t j) const {
    return std::max(now_, starts_[j].at + as(j).estimate);
  }

  /// What is free when those have ended that are expected to by then.
  amounts free_by(std::int64_t at) const {
    auto n = free();
    for (const auto j : running_)
      if (expected_end(j) <= at)
        for (std::size_t p = 0; p < n.size(); ++p)
          n[p] += share_[j][p];
    return n;
  }

  /// When a job is expected to fit in a width.
  std::int64_t fits_from(std::size_t j, const width& w) const {
    if (!choose(j, w, now_, free()).empty())
      return now_;
    auto times = window_ends();
    for (const auto r : running_)
      times.insert(expected_end(r));
    for (auto at = times.lower_bound(now_); at != times.end(); ++at)
      if (!choose(j, w, *at, free_by(*at)).empty())
        return *at;
    return never;
  }

  void shape_first(std::size_t j) {
    auto best = key_of(never, never);
    chosen_[j] = jobs_[j].requested;
    for (std::size_t i = 0; i < jobs_[j].widths.size(); ++i) {
      const auto& w = jobs_[j].widths[i];
      const auto at = fits_from(j, w);
      const auto k = key_of(at, w.estimate, at == now_ && choose(j, w, now_, free()).empty());
      if (at < never && k < best) {
        best = k;
        chosen_[j] = i;
      }
    }
  }

  bool backfill(std::size_t first) {
    const auto shadow = fits_from(first, as(first));
    auto spare = free_by(shadow);
    if (shadow < never)
      subtract(spare, choose(first, as(first), shadow, spare));
    for (const auto j : queue_) {
      if (j == first)
        continue;
      const auto& widths = jobs_[j].widths;
      auto limit = never;
      if (by_ == molding::earliest_finish && widths.size() > 1 && shadow < never)
        limit = shadow + widths[jobs_[j].requested].estimate;
      auto best = never;
      amounts share;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto end = now_ + widths[i].estimate;
        auto found = choose(j, widths[i], now_, end <= shadow ? free() : lesser(free(), spare));
        if (!found.empty() && end <= limit && end < best) {
          best = end;
          chosen_[j] = i;
          share = std::move(found);
        }
      }
      if (best < never)
        return start(j, std::move(share));
    }
    return false;
  }

  /// What is expected to be free at an instant, to all but one job.
  amounts free_at(std::int64_t at, std::size_t but) const {
    amounts n;
    for (const auto& p : parts_)
      n.push_back(p.processors);
    for (const auto j : running_)
      if (starts_[j].at + as(j).estimate > at)
        subtract(n, share_[j]);
    for (const auto j : queue_)
      if (j != but && reserved_[j] <= at && at < reserved_[j] + as(j).estimate)
        subtract(n, share_[j]);
    return n;
  }

  std::pair<std::int64_t, amounts> earliest(std::size_t job, const width& w) const {
    auto changes = window_ends();
    changes.insert(now_);
    for (const auto j : running_)
      changes.insert(starts_[j].at + as(j).estimate);
    for (const auto j : queue_)
      if (j != job && reserved_[j] < never) {
        changes.insert(reserved_[j]);
        changes.insert(reserved_[j] + as(j).estimate);
      }
    changes.erase(changes.begin(), changes.lower_bound(now_));
    for (const auto at : changes) {
      auto room = free_at(at, job);
      for (auto i = changes.upper_bound(at); i != changes.end() && *i < at + w.estimate; ++i)
        room = lesser(room, free_at(*i, job));
      if (auto share = choose(job, w, at, room); !share.empty())
        return {at, share};
    }
    return {never, {}};
  }

  /// Makes a reservation, or a better one.
  void reserve(std::size_t j) {
    const auto had = reserved_[j];
    auto best = had < never ? key_of(had, as(j).estimate) : key{never, true, never};
    for (std::size_t i = 0; i < jobs_[j].widths.size(); ++i) {
      const auto& w = jobs_[j].widths[i];
      const auto [at, share] = earliest(j, w);
      if (at < never && key_of(at, w.estimate) < best) {
        best = key_of(at, w.estimate);
        reserved_[j] = at;
        share_[j] = share;
        chosen_[j] = i;
      }
    }
  }

  std::vector<moldable_job> jobs_;
  std::vector<part> parts_;
  queueing how_;
  molding by_;
  std::int64_t now_ = 0;
  std::vector<molded_start> starts_;
  std::vector<std::size_t> chosen_;    ///< by job: which width
  std::vector<std::int64_t> reserved_; ///< by job that waits
  std::vector<amounts> share_;         ///< by job: what it has, or has reserved, of each part
  std::vector<std::size_t> queue_;
  std::vector<std::size_t> running_;
  std::size_t latest_ = 0; ///< that was started
};

} // namespace troupe::reference
