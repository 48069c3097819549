#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

/// Schedulers of rigid jobs on one pool of processors, as short and plain as can be: they share no
/// code with Troupe and look at everything anew at every event. Times are in whole seconds.
namespace troupe::reference {

struct rigid_job {
  std::int64_t submitted = 0;
  std::int64_t runtime = 0;
  std::int64_t estimate = 0;
  std::int64_t processors = 0;
  std::int64_t tenant = 0;
};

enum class discipline { fcfs, easy, conservative };

/// Returns the start of each job. Jobs are sorted by submission, and none is too large.
class pool {
public:
  pool(std::vector<rigid_job> jobs, std::int64_t processors, discipline how)
    : jobs_(std::move(jobs)), all_(processors), how_(how) {}

  std::vector<std::int64_t> starts() {
    start_.assign(jobs_.size(), -1);
    reserved_.assign(jobs_.size(), 0);
    std::set<std::int64_t> events;
    for (const auto& j : jobs_)
      events.insert(j.submitted);
    std::size_t next = 0;
    while (!events.empty()) {
      now_ = *events.begin();
      events.erase(events.begin());
      bool early = false;
      std::erase_if(running_, [&](std::size_t j) {
        const bool over = start_[j] + jobs_[j].runtime <= now_;
        early = early || (over && start_[j] + jobs_[j].estimate > now_);
        return over;
      });
      if (how_ == discipline::conservative && early)
        for (const auto j : queue_)
          reserved_[j] = std::min(reserved_[j], earliest(j));
      for (; next < jobs_.size() && jobs_[next].submitted == now_; ++next) {
        queue_.push_back(next);
        reserved_[next] = std::numeric_limits<std::int64_t>::max();
        if (how_ == discipline::conservative)
          reserved_[next] = earliest(next);
      }
      for (const auto j : starting()) {
        start_[j] = now_;
        events.insert(now_ + jobs_[j].runtime);
      }
      if (how_ == discipline::conservative)
        for (const auto j : queue_)
          if (reserved_[j] > now_)
            events.insert(reserved_[j]);
    }
    return start_;
  }

private:
  std::int64_t free() const {
    std::int64_t n = all_;
    for (const auto j : running_)
      n -= jobs_[j].processors;
    return n;
  }

  void start(std::size_t j, std::vector<std::size_t>& started) {
    start_[j] = now_;
    running_.push_back(j);
    started.push_back(j);
  }

  std::vector<std::size_t> starting() {
    std::vector<std::size_t> started;
    if (how_ == discipline::conservative) {
      for (const auto j : queue_)
        if (reserved_[j] <= now_ && jobs_[j].processors <= free())
          start(j, started);
    } else {
      std::size_t head = 0;
      while (head < queue_.size() && jobs_[queue_[head]].processors <= free())
        start(queue_[head++], started);
      if (how_ == discipline::easy && head < queue_.size())
        backfill(head, started);
    }
    std::erase_if(queue_, [&](std::size_t j) { return start_[j] >= 0; });
    return started;
  }

  /// When a running job is expected to end: one that outlives its estimate, at any moment.
  std::int64_t expected_end(std::size_t j) const {
    return std::max(now_, start_[j] + jobs_[j].estimate);
  }

  void backfill(std::size_t head, std::vector<std::size_t>& started) {
    const auto& first = jobs_[queue_[head]];
    auto ends = running_;
    std::ranges::stable_sort(ends,
                             [this](auto a, auto b) { return expected_end(a) < expected_end(b); });
    auto shadow = std::numeric_limits<std::int64_t>::max();
    auto spare = free() - first.processors;
    for (const auto j : ends) {
      if (spare >= 0 && expected_end(j) > shadow)
        break;
      spare += jobs_[j].processors;
      if (spare >= 0)
        shadow = expected_end(j);
    }
    for (auto i = head + 1; i < queue_.size(); ++i) {
      const auto& j = jobs_[queue_[i]];
      const bool ends_before = now_ + j.estimate <= shadow;
      if (j.processors > free() || !(ends_before || j.processors <= spare))
        continue;
      if (!ends_before)
        spare -= j.processors;
      start(queue_[i], started);
    }
  }

  /// The processors that are expected to be free at an instant, to all but one job.
  std::int64_t free_at(std::int64_t at, std::size_t but) const {
    std::int64_t n = all_;
    for (const auto j : running_)
      if (start_[j] + jobs_[j].estimate > at)
        n -= jobs_[j].processors;
    for (const auto j : queue_)
      if (j != but && reserved_[j] <= at && at < reserved_[j] + jobs_[j].estimate)
        n -= jobs_[j].processors;
    return n;
  }

  std::int64_t earliest(std::size_t job) const {
    std::set<std::int64_t> changes{now_};
    for (const auto j : running_)
      changes.insert(start_[j] + jobs_[j].estimate);
    for (const auto j : queue_)
      if (j != job) {
        changes.insert(reserved_[j]);
        changes.insert(reserved_[j] + jobs_[j].estimate);
      }
    changes.erase(changes.begin(), changes.lower_bound(now_));
    for (const auto at : changes) {
      bool fits = true;
      for (auto i = changes.lower_bound(at);
           fits && i != changes.end() && *i < at + jobs_[job].estimate; ++i)
        fits = free_at(*i, job) >= jobs_[job].processors;
      if (fits)
        return at;
    }
    return -1;
  }

  std::vector<rigid_job> jobs_;
  std::int64_t all_;
  discipline how_;
  std::int64_t now_ = 0;
  std::vector<std::int64_t> start_;    ///< by job; -1: not yet
  std::vector<std::int64_t> reserved_; ///< by job that waits
  std::vector<std::size_t> queue_;
  std::vector<std::size_t> running_;
};

inline std::vector<std::int64_t> starts_of(const std::vector<rigid_job>& jobs,
                                           std::int64_t processors, discipline how) {
  return pool{jobs, processors, how}.starts();
}

} // namespace troupe::reference
