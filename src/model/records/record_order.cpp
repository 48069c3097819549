#include "model/records/record_order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

namespace {

/// When the subject of a record ended; the end of all time if it has not.
instant end_of(const job_record& r) {
  return r.state < record_state::finished ? instant::max() : r.at.ended;
}

instant end_of(const task_record& r) {
  return r.state < record_state::finished ? instant::max() : r.at.ended;
}

instant end_of(const attempt_record& r) {
  return r.at;
}

task_id number_of(const job_record& r) {
  return {r.job, 0};
}

task_id number_of(const task_record& r) {
  return r.task;
}

task_id number_of(const attempt_record& r) {
  return r.task;
}

/// The place of a record in the order, with all that is compared: the records themselves are large,
/// and many end at the same instant.
struct sort_entry {
  instant at{0};
  task_id number;
  std::uint32_t index = 0;

  friend bool operator<(const sort_entry& a, const sort_entry& b) {
    if (a.at != b.at)
      return a.at < b.at;
    return a.number != b.number ? a.number < b.number : a.index < b.index;
  }
};

template <class Record>
void prefetch(const Record& record) {
  constexpr std::size_t line = 64;
  for (std::size_t offset = 0; offset < sizeof(Record); offset += line)
    __builtin_prefetch(reinterpret_cast<const char*>(&record) + offset);
}

/// Returns the records of an order.
template <class Record>
std::vector<Record> gather(const std::vector<Record>& from, const std::vector<sort_entry>& order) {
  constexpr std::size_t ahead = 8;
  std::vector<Record> sorted;
  sorted.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + ahead < order.size())
      prefetch(from[order[i + ahead].index]);
    sorted.push_back(from[order[i].index]);
  }
  return sorted;
}

template <class Record>
std::vector<Record> take_sorted(std::vector<Record>& from, instant end) {
  std::vector<sort_entry> order;
  order.reserve(from.size());
  for (std::uint32_t i = 0; i < from.size(); ++i) {
    const auto at = end_of(from[i]);
    if (at <= end)
      order.push_back({at, number_of(from[i]), i});
  }
  std::sort(order.begin(), order.end());
  auto sorted = gather(from, order);
  if (order.size() == from.size()) {
    from.clear();
    return sorted;
  }
  std::vector<bool> gone(from.size());
  for (const auto& entry : order)
    gone[entry.index] = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (!gone[i])
      from[kept++] = from[i];
  from.resize(kept);
  return sorted;
}

} // namespace

record_batch record_order::take_until(instant end) {
  record_batch batch;
  batch.jobs = take_sorted(waiting_.jobs, end);
  batch.tasks = take_sorted(waiting_.tasks, end);
  batch.attempts = take_sorted(waiting_.attempts, end);
  return batch;
}

record_batch record_order::take_all() {
  return take_until(instant::max());
}

} // namespace troupe
