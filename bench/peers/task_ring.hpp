#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe::peers {

/// A task that waits: its job, and the step at which the job was submitted.
struct queued_task {
  std::uint32_t job = 0;
  std::uint32_t submitted = 0;
};

/// A queue of tasks in one array, which grows by doubling. Refused tasks return to its head.
class task_ring {
public:
  bool empty() const { return size_ == 0; }

  void push_back(queued_task task) {
    make_room();
    tasks_[(first_ + size_++) & (tasks_.size() - 1)] = task;
  }

  void push_front(queued_task task) {
    make_room();
    first_ = (first_ - 1) & (tasks_.size() - 1);
    tasks_[first_] = task;
    ++size_;
  }

  queued_task pop_front() {
    const auto task = tasks_[first_];
    first_ = (first_ + 1) & (tasks_.size() - 1);
    --size_;
    return task;
  }

private:
  void make_room() {
    if (size_ < tasks_.size())
      return;
    std::vector<queued_task> larger(2 * tasks_.size());
    for (std::size_t i = 0; i < size_; ++i)
      larger[i] = tasks_[(first_ + i) & (tasks_.size() - 1)];
    tasks_.swap(larger);
    first_ = 0;
  }

  std::vector<queued_task> tasks_ = std::vector<queued_task>(1024); ///< a power of two of places
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

} // namespace troupe::peers
