#pragma once

#include "model/records/records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace troupe {

/// When the subject of a record ended; the end of all time if it has not.
inline instant end_of(const job_record& r) {
  return r.state < record_state::finished ? instant::max() : r.at.ended;
}

inline instant end_of(const task_record& r) {
  return r.state < record_state::finished ? instant::max() : r.at.ended;
}

inline instant end_of(const attempt_record& r) {
  return r.at;
}

inline task_id number_of(const job_record& r) {
  return {r.job, 0};
}

inline task_id number_of(const task_record& r) {
  return r.task;
}

inline task_id number_of(const attempt_record& r) {
  return r.task;
}

/// Brings records of one kind into the order of their ends; those of one instant are in the order
/// of their numbers, those with the same number in the order in which they were added. Records stay
/// in the vectors in which they come until they are taken: they are large, so that each copy costs.
template <class Record>
class end_order {
public:
  void add(std::vector<Record>&& records) {
    if (records.empty())
      return;
    const auto b = free_batch();
    for (std::uint32_t i = 0; i < records.size(); ++i)
      waiting_.push_back({end_of(records[i]), number_of(records[i]), arrivals_++, b, i});
    batches_[b] = {std::move(records), 0};
    batches_[b].left = batches_[b].records.size();
  }

  /// Moves the records of ends up to an instant behind those of `to`, in order.
  void take_until(instant end, std::vector<Record>& to) {
    const auto later = std::partition(waiting_.begin(), waiting_.end(),
                                      [end](const place& p) { return p.at <= end; });
    sort_waiting(static_cast<std::size_t>(later - waiting_.begin()));
    constexpr std::ptrdiff_t ahead = 8;
    to.reserve(to.size() + static_cast<std::size_t>(later - waiting_.begin()));
    for (auto at = waiting_.begin(); at != later; ++at) {
      if (later - at > ahead)
        prefetch(batches_[at[ahead].batch].records[at[ahead].index]);
      to.push_back(batches_[at->batch].records[at->index]);
    }
    for (auto at = waiting_.begin(); at != later; ++at)
      if (auto& b = batches_[at->batch]; --b.left == 0) {
        b.records = {};
        free_.push_back(at->batch);
      }
    waiting_.erase(waiting_.begin(), later);
  }

private:
  struct batch {
    std::vector<Record> records;
    std::size_t left = 0; ///< records that were not taken
  };

  /// Where a record is, with all that is compared: many end at the same instant.
  struct place {
    instant at{0};
    task_id number;
    std::uint32_t arrival = 0; ///< counts all records; begins again after 2^32
    std::uint32_t batch = 0;
    std::uint32_t index = 0;

    friend bool operator<(const place& a, const place& b) {
      if (a.at != b.at)
        return a.at < b.at;
      if (a.number != b.number)
        return a.number < b.number;
      return static_cast<std::int32_t>(a.arrival - b.arrival) < 0;
    }
  };

  /// Returns the index of a batch that has no records.
  std::uint32_t free_batch() {
    if (free_.empty()) {
      batches_.emplace_back();
      return static_cast<std::uint32_t>(batches_.size() - 1);
    }
    const auto b = free_.back();
    free_.pop_back();
    return b;
  }

  /// Sorts the first `n` places. Most ends are spread over the time between the first and the last:
  /// each goes to one of `n` buckets first.
  void sort_waiting(std::size_t n) {
    if (n < 2)
      return;
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(n);
    const auto [first, last] = std::minmax_element(
      waiting_.begin(), end, [](const place& a, const place& b) { return a.at < b.at; });
    const auto from = first->at;
    const auto buckets_per_ns =
      static_cast<double>(n - 1) / std::max(1.0, to_double(last->at) - to_double(from));
    const auto bucket = [&](const place& p) {
      return static_cast<std::size_t>((to_double(p.at) - to_double(from)) * buckets_per_ns);
    };
    starts_.assign(n + 1, 0);
    for (auto at = waiting_.begin(); at != end; ++at)
      ++starts_[bucket(*at) + 1];
    for (std::size_t b = 1; b <= n; ++b)
      starts_[b] += starts_[b - 1];
    sorted_.resize(n);
    for (auto at = waiting_.begin(); at != end; ++at)
      sorted_[starts_[bucket(*at)]++] = *at;
    std::size_t begin = 0;
    for (std::size_t b = 0; b < n; ++b) { // a bucket ends where the next one began
      std::sort(sorted_.begin() + static_cast<std::ptrdiff_t>(begin),
                sorted_.begin() + static_cast<std::ptrdiff_t>(starts_[b]));
      begin = starts_[b];
    }
    std::ranges::copy(sorted_, waiting_.begin());
  }

  static double to_double(instant at) { return static_cast<double>(at.count()); }

  static void prefetch(const Record& record) {
    constexpr std::size_t line = 64;
    for (std::size_t offset = 0; offset < sizeof(Record); offset += line)
      __builtin_prefetch(reinterpret_cast<const char*>(&record) + offset);
  }

  std::vector<batch> batches_;
  std::vector<std::uint32_t> free_; ///< batches without records
  std::vector<place> waiting_;
  std::vector<place> sorted_;         ///< for `sort_waiting`, as is the next one
  std::vector<std::uint32_t> starts_; ///< of each bucket
  std::uint32_t arrivals_ = 0;
};

} // namespace troupe
