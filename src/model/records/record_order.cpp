#include "model/records/record_order.hpp"

#include <algorithm>
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

/// The place of a record in the order, small so that sorting moves little.
struct sort_entry {
  instant at{0};
  std::uint32_t index = 0;
};

template <class Record>
std::vector<Record> take_sorted(std::vector<Record>& from, instant end) {
  std::vector<sort_entry> order;
  order.reserve(from.size());
  for (std::uint32_t i = 0; i < from.size(); ++i) {
    const auto at = end_of(from[i]);
    if (at <= end)
      order.push_back({at, i});
  }
  std::ranges::sort(order, [&](const sort_entry& a, const sort_entry& b) {
    if (a.at != b.at)
      return a.at < b.at;
    const auto first = number_of(from[a.index]);
    const auto second = number_of(from[b.index]);
    return first != second ? first < second : a.index < b.index;
  });
  std::vector<Record> sorted;
  sorted.reserve(order.size());
  for (const auto& entry : order)
    sorted.push_back(from[entry.index]);
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
