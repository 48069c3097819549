#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

/// Schedulers of moldable jobs on one pool of processors, as short and plain as can be: they share
/// no code with Troupe and look at everything anew at every event. Times are in whole units.
namespace troupe::reference {

/// A width of a job, with what it takes.
struct width {
  std::int64_t processors = 0;
  std::int64_t runtime = 0;
  std::int64_t estimate = 0;
};

struct moldable_job {
  std::int64_t submitted = 0;
  std::vector<width> widths; ///< rising; one if it is rigid
  std::size_t requested = 0;
  std::int64_t tenant = 0;
};

enum class molding { available, earliest_finish };
enum class queueing { fcfs, easy, conservative };

struct molded_start {
  std::int64_t at = -1; ///< -1: not yet
  std::int64_t processors = 0;

  friend bool operator==(const molded_start&, const molded_start&) = default;
};

class moldable_pool {
public:
  moldable_pool(std::vector<moldable_job> jobs, std::int64_t processors, queueing how, molding by)
    : jobs_(std::move(jobs)), all_(processors), how_(how), by_(by) {}

  std::vector<molded_start> starts() {
    starts_.assign(jobs_.size(), {});
    reserved_.assign(jobs_.size(), never);
    chosen_.clear();
    for (const auto& j : jobs_)
      chosen_.push_back(j.requested);
    std::set<std::int64_t> events;
    for (const auto& j : jobs_)
      events.insert(j.submitted);
    std::size_t next = 0;
    while (!events.empty()) {
      now_ = *events.begin();
      events.erase(events.begin());
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
      if (how_ == queueing::conservative)
        for (const auto j : queue_)
          if (reserved_[j] > now_ && reserved_[j] < never)
            events.insert(reserved_[j]);
    }
    return starts_;
  }

private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 4;

  using key = std::tuple<std::int64_t, bool, std::int64_t>;

  const width& as(std::size_t j) const { return jobs_[j].widths[chosen_[j]]; }

  std::int64_t free() const {
    std::int64_t n = all_;
    for (const auto j : running_)
      n -= as(j).processors;
    return n;
  }

  /// `late`: it is to start now, as one that outlives its estimate is to end at any moment.
  key key_of(std::int64_t start, std::int64_t estimate, bool late = false) const {
    return by_ == molding::available ? key{start, late, estimate}
                                     : key{start + estimate, late, start};
  }

  bool start(std::size_t j) {
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
        if (reserved_[j] <= now_ && as(j).processors <= free())
          return start(j);
      return false;
    }
    const auto first = queue_.front();
    shape_first(first);
    if (as(first).processors <= free())
      return start(first);
    return how_ == queueing::easy && backfill(first);
  }

  std::int64_t expected_end(std::size_t j) const {
    return std::max(now_, starts_[j].at + as(j).estimate);
  }

  /// When so many processors are expected to be free.
  std::int64_t free_from(std::int64_t processors) const {
    auto n = free();
    auto ends = running_;
    std::ranges::sort(ends, {}, [this](auto j) { return expected_end(j); });
    if (n >= processors)
      return now_;
    for (const auto j : ends)
      if ((n += as(j).processors) >= processors)
        return expected_end(j);
    return never;
  }

  void shape_first(std::size_t j) {
    auto best = key_of(never, never);
    chosen_[j] = jobs_[j].requested;
    for (std::size_t i = 0; i < jobs_[j].widths.size(); ++i) {
      const auto& w = jobs_[j].widths[i];
      const auto at = free_from(w.processors);
      const auto k = key_of(at, w.estimate, at == now_ && w.processors > free());
      if (at < never && k < best) {
        best = k;
        chosen_[j] = i;
      }
    }
  }

  bool backfill(std::size_t first) {
    const auto shadow = free_from(as(first).processors);
    auto spare = free() - as(first).processors;
    for (const auto j : running_)
      if (expected_end(j) <= shadow)
        spare += as(j).processors;
    for (const auto j : queue_) {
      if (j == first)
        continue;
      const auto& widths = jobs_[j].widths;
      auto limit = never;
      if (by_ == molding::earliest_finish && widths.size() > 1 && shadow < never)
        limit = shadow + widths[jobs_[j].requested].estimate;
      auto best = never;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto end = now_ + widths[i].estimate;
        const bool harmless = end <= shadow || widths[i].processors <= spare;
        if (widths[i].processors <= free() && harmless && end <= limit && end < best) {
          best = end;
          chosen_[j] = i;
        }
      }
      if (best < never)
        return start(j);
    }
    return false;
  }

  /// The processors that are expected to be free at an instant, to all but one job.
  std::int64_t free_at(std::int64_t at, std::size_t but) const {
    std::int64_t n = all_;
    for (const auto j : running_)
      if (starts_[j].at + as(j).estimate > at)
        n -= as(j).processors;
    for (const auto j : queue_)
      if (j != but && reserved_[j] <= at && at < reserved_[j] + as(j).estimate)
        n -= as(j).processors;
    return n;
  }

  std::int64_t earliest(std::size_t job, const width& w) const {
    std::set<std::int64_t> changes{now_};
    for (const auto j : running_)
      changes.insert(starts_[j].at + as(j).estimate);
    for (const auto j : queue_)
      if (j != job) {
        changes.insert(reserved_[j]);
        changes.insert(reserved_[j] + as(j).estimate);
      }
    changes.erase(changes.begin(), changes.lower_bound(now_));
    for (const auto at : changes) {
      bool fits = true;
      for (auto i = changes.lower_bound(at); fits && i != changes.end() && *i < at + w.estimate;
           ++i)
        fits = free_at(*i, job) >= w.processors;
      if (fits)
        return at;
    }
    return never;
  }

  /// Makes a reservation, or a better one.
  void reserve(std::size_t j) {
    const auto had = reserved_[j];
    auto best = had < never ? key_of(had, as(j).estimate) : key{never, true, never};
    for (std::size_t i = 0; i < jobs_[j].widths.size(); ++i) {
      const auto& w = jobs_[j].widths[i];
      const auto at = earliest(j, w);
      if (at < never && key_of(at, w.estimate) < best) {
        best = key_of(at, w.estimate);
        reserved_[j] = at;
        chosen_[j] = i;
      }
    }
  }

  std::vector<moldable_job> jobs_;
  std::int64_t all_;
  queueing how_;
  molding by_;
  std::int64_t now_ = 0;
  std::vector<molded_start> starts_;
  std::vector<std::size_t> chosen_;    ///< by job: which width
  std::vector<std::int64_t> reserved_; ///< by job that waits
  std::vector<std::size_t> queue_;
  std::vector<std::size_t> running_;
  std::size_t latest_ = 0; ///< that was started
};

} // namespace troupe::reference
