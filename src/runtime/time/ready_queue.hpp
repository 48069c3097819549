#pragma once

#include <caf/resumable.hpp>

#include <cstddef>
#include <vector>

namespace troupe {

/// An actor that can run, and whether it is one of CAF's own. The others are light actors.
struct ready_job {
  caf::resumable* job = nullptr;
  bool is_scheduled = false;
};

/// The jobs that can run now, first in first out: a ring that doubles when it is full.
class ready_queue {
public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }

  /// Returns the greatest size so far.
  std::size_t peak() const { return peak_; }

  /// Returns the job `ahead` places behind the front; `ahead` must be less than the size.
  const ready_job& at(std::size_t ahead) const { return ring_[(head_ + ahead) & mask_]; }

  void push(caf::resumable* job) {
    if (size() == ring_.size())
      grow();
    ring_[tail_++ & mask_] = {job, job->subtype() == caf::resumable::scheduled_actor};
    if (size() > peak_)
      peak_ = size();
  }

  /// Removes and returns the front; the queue must not be empty.
  ready_job pop() { return ring_[head_++ & mask_]; }

private:
  void grow() {
    std::vector<ready_job> larger(ring_.size() * 2);
    for (std::size_t i = 0; i < ring_.size(); ++i)
      larger[i] = at(i);
    tail_ = ring_.size();
    head_ = 0;
    ring_ = std::move(larger);
    mask_ = ring_.size() - 1;
  }

  std::vector<ready_job> ring_ = std::vector<ready_job>(1024);
  std::size_t mask_ = ring_.size() - 1;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::size_t peak_ = 0;
};

} // namespace troupe
