#include "model/jobs/job_book.hpp"

#include <algorithm>
#include <utility>

// Part of `job_book`: jobs of which only so many tasks wait or run at a time.
namespace troupe {

bool job_book::is_limited(const job& j) {
  return j.at_once > 0 && !j.gang && j.task_count() > j.at_once;
}

void job_book::begin_array(open_job& of) {
  const auto first = of.what.at_once;
  of.array = std::make_unique<array_state>(array_state{first, {}});
  lane_of(of.what).fresh.push_back({&of, 0, 0, 0, first, 0});
  waiting_ += first;
  blocked_ += of.what.task_count() - first;
}

/// The tasks that neither wait nor are over run.
void job_book::resume_array(open_job& of, const std::vector<std::uint32_t>& waiting) {
  const auto running = of.unfinished - static_cast<std::uint32_t>(waiting.size());
  const std::size_t room = of.what.at_once - std::min(running, of.what.at_once);
  of.array = std::make_unique<array_state>(array_state{of.what.task_count(), {}});
  for (std::size_t i = 0; i < waiting.size(); ++i)
    if (i < room) {
      put_at_back(*find({of.what.id, waiting[i]}));
    } else {
      of.array->held.push_back(waiting[i]);
      ++blocked_;
    }
}

void job_book::release_next(open_job& of, instant at) {
  auto& array = *of.array;
  std::uint32_t next = 0;
  if (!array.held.empty()) {
    next = array.held.front();
    array.held.pop_front();
  } else if (array.next < of.what.task_count()) {
    next = array.next++;
  } else {
    return;
  }
  auto task = *find({of.what.id, next});
  task.submitted = at;
  --blocked_;
  put_at_back(task);
}

bool job_book::is_held(const array_state& array, std::uint32_t task) {
  return task >= array.next || std::ranges::find(array.held, task) != array.held.end();
}

void job_book::drop_held(open_job& of, std::vector<waiting_task>& into) {
  auto& array = *of.array;
  const auto tasks = of.what.task_count();
  blocked_ -= array.held.size() + (tasks - array.next);
  for (const auto index : std::exchange(array.held, {}))
    into.push_back(*find({of.what.id, index}));
  for (; array.next < tasks; ++array.next)
    into.push_back(*find({of.what.id, array.next}));
}

} // namespace troupe
