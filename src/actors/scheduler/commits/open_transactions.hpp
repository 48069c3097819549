#pragma once

#include "model/base/random.hpp"
#include "model/jobs/job_book.hpp"
#include "model/jobs/retry_queue.hpp"
#include "model/protocol/protocol.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <vector>

namespace troupe {

/// Placements of one job that were decided on at a time.
struct transaction {
  job_id job = 0;
  std::uint32_t group = 0;
  bool gang = false; ///< all tasks of a gang that has not started
  commit_mode mode = commit_mode::each;
  std::uint32_t tasks = 0;
  std::uint32_t open = 0; ///< commits that are not answered
  std::uint32_t granted = 0;
  bool conflicted = false;
  bool over = false;
  duration cost{0};                ///< of deciding
  instant accepted{0};             ///< when it was certain to be launched
  std::vector<owner_id> held_by;   ///< owners that hold parts
  std::vector<waiting_task> back;  ///< tasks that were refused and wait for the last answer
  std::vector<refresh_mark> marks; ///< that those wait for

  /// Returns the time that tasks wait at least that have been refused `before` times and now again:
  /// a random time after some attempts.
  duration contention_delay(std::uint32_t before, random_stream& random) const {
    // Truncated binary exponential backoff (Metcalfe and Boggs, Ethernet, CACM 1976, section 4).
    constexpr std::uint32_t at_once = 8;
    constexpr std::uint32_t doublings = 10;
    if (before < at_once)
      return duration::zero();
    const auto slot = std::max<duration>(cost, std::chrono::milliseconds{1});
    const auto slots = std::exp2(std::min(before - at_once, doublings));
    return std::min<duration>(from_seconds(to_seconds(slot) * slots * random.unit()),
                              std::chrono::seconds{1});
  }
};

/// The transactions under way, numbered in the order in which they were decided on. They may end in
/// another order.
class open_transactions {
public:
  /// Begins another one with a task of a job, and returns its number.
  std::uint64_t open(const waiting_task& task, bool all_or_nothing) {
    auto& next = all_.emplace_back();
    next.job = task.task.job;
    next.group = task.group();
    next.gang = task.whole;
    next.mode = task.whole || all_or_nothing ? commit_mode::together : commit_mode::each;
    return latest();
  }

  /// The number of the latest one, of which there must be one.
  std::uint64_t latest() const { return first_ + all_.size() - 1; }

  /// Returns whether the latest one is about a job.
  bool latest_is_of(job_id job) const { return all_.back().job == job; }

  transaction& operator[](std::uint64_t number) {
    return all_[static_cast<std::size_t>(number - first_)];
  }

  /// Forgets the latest one: nothing was decided on after all.
  void drop_latest() { all_.pop_back(); }

  /// Forgets the latest ones of which no part has been committed.
  void drop_uncommitted() {
    while (!all_.empty() && !all_.back().over && all_.back().open == 0)
      all_.pop_back();
  }

  /// Lets a task that was refused wait for the last answer.
  void refuse(std::uint64_t number, const waiting_task& task) {
    (*this)[number].back.push_back(task);
    ++refused_;
  }

  /// Notes that the last answer has come. Returns the transaction.
  transaction& end(std::uint64_t number) {
    auto& done = (*this)[number];
    done.over = true;
    refused_ -= done.back.size();
    return done;
  }

  /// Forgets the first ones that are over.
  void drop_over() {
    for (; !all_.empty() && all_.front().over; ++first_)
      all_.pop_front();
  }

  /// Returns how many tasks were refused and wait for the last answer.
  std::uint64_t refused() const { return refused_; }

  /// Calls `visit(task)` for each of them.
  template <class Visit>
  void visit_refused(Visit visit) const {
    for (const auto& t : all_)
      if (!t.over)
        for (const auto& task : t.back)
          visit(task);
  }

private:
  std::deque<transaction> all_; ///< from number `first_` on
  std::uint64_t first_ = 0;
  std::uint64_t refused_ = 0; ///< tasks
};

} // namespace troupe
