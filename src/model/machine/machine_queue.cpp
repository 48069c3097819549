#include "model/machine/machine_queue.hpp"

#include <algorithm>

namespace troupe {

namespace {

bool put_by(const queue_entry& entry, scheduler_id scheduler) {
  return entry.kind != entry_kind::granted && entry.order.launcher == scheduler;
}

} // namespace

double machine_queue::stride(std::int64_t tenant) const {
  const auto i = static_cast<std::size_t>(tenant);
  return i < weights_.size() ? 1 / weights_[i] : 1;
}

machine_queue::lane& machine_queue::lane_of(const queue_entry& entry) {
  std::int64_t key = 0;
  if (discipline_ == queue_discipline::priority)
    key = -std::int64_t{entry.priority};
  else if (discipline_ == queue_discipline::fair)
    key = entry.tenant;
  if (lanes_.size() == 1 && lanes_.front().key == key)
    return lanes_.front();
  const auto at = std::ranges::lower_bound(lanes_, key, {}, &lane::key);
  if (at != lanes_.end() && at->key == key)
    return *at;
  return *lanes_.insert(at, lane{key});
}

void machine_queue::push(const queue_entry& entry) {
  auto& to = lane_of(entry);
  if (to.empty() && discipline_ == queue_discipline::fair)
    to.pass = std::max(to.pass, pass_);
  to.entries.push_back(entry);
  ++size_;
}

std::size_t machine_queue::next_lane() const {
  std::size_t next = lanes_.size();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i].empty())
      continue;
    if (discipline_ != queue_discipline::fair)
      return i;
    if (next == lanes_.size() || lanes_[i].pass < lanes_[next].pass)
      next = i;
  }
  return next;
}

const queue_entry* machine_queue::head() const {
  if (size_ == 0)
    return nullptr;
  const auto& next = lanes_[next_lane()];
  return &next.entries[next.first];
}

queue_entry machine_queue::pop() {
  return pop_first(lanes_[next_lane()]);
}

queue_entry machine_queue::pop(const place& at) {
  auto& from = lanes_[at.lane];
  const auto first = from.entries.begin() + static_cast<std::ptrdiff_t>(from.first);
  const auto taken = from.entries.begin() + static_cast<std::ptrdiff_t>(at.entry);
  std::rotate(first, taken, taken + 1); // the others keep their order
  return pop_first(from);
}

queue_entry machine_queue::pop_first(lane& from) {
  const auto entry = from.entries[from.first++];
  --size_;
  if (from.empty()) {
    from.entries.clear();
    from.first = 0;
  } else if (from.first >= 32 && from.first * 2 > from.entries.size()) {
    from.entries.erase(from.entries.begin(),
                       from.entries.begin() + static_cast<std::ptrdiff_t>(from.first));
    from.first = 0;
  }
  if (discipline_ == queue_discipline::fair) {
    pass_ = from.pass;
    from.pass += stride(from.key);
  }
  return entry;
}

void machine_queue::refund(std::uint32_t tenant) {
  if (discipline_ != queue_discipline::fair)
    return;
  const auto at = std::ranges::find(lanes_, std::int64_t{tenant}, &lane::key);
  if (at != lanes_.end())
    at->pass -= stride(at->key);
}

template <class Predicate>
std::size_t machine_queue::erase_if(Predicate dead) {
  std::size_t erased = 0;
  for (auto& l : lanes_) {
    const auto first = l.entries.begin() + static_cast<std::ptrdiff_t>(l.first);
    const auto rest = std::remove_if(first, l.entries.end(), dead);
    erased += static_cast<std::size_t>(l.entries.end() - rest);
    l.entries.erase(rest, l.entries.end());
    if (l.empty()) {
      l.entries.clear();
      l.first = 0;
    }
  }
  size_ -= erased;
  return erased;
}

std::size_t machine_queue::cancel(scheduler_id scheduler, job_id job) {
  return erase_if([&](const queue_entry& e) {
    return e.kind == entry_kind::reservation && e.order.launcher == scheduler &&
           e.order.task.job == job;
  });
}

void machine_queue::drop(scheduler_id scheduler) {
  erase_if([&](const queue_entry& e) { return put_by(e, scheduler); });
}

void machine_queue::drop_granted() {
  erase_if([](const queue_entry& e) { return e.kind == entry_kind::granted; });
}

std::vector<queue_entry> machine_queue::take_unfit(const resources& capacity) {
  std::vector<queue_entry> taken;
  erase_if([&](const queue_entry& e) {
    if (e.kind == entry_kind::granted || capacity.fits(e.order.demand))
      return false;
    taken.push_back(e);
    return true;
  });
  return taken;
}

bool machine_queue::holds(scheduler_id scheduler) const {
  return std::ranges::any_of(lanes_, [&](const lane& l) {
    return std::any_of(l.entries.begin() + static_cast<std::ptrdiff_t>(l.first), l.entries.end(),
                       [&](const queue_entry& e) { return put_by(e, scheduler); });
  });
}

std::optional<launch_order> machine_queue::remove(const task_id& task) {
  std::optional<launch_order> removed;
  erase_if([&](const queue_entry& e) {
    if (e.kind == entry_kind::reservation || e.order.task != task)
      return false;
    removed = e.order;
    return true;
  });
  return removed;
}

std::vector<queue_entry>
machine_queue::take_behind_long(bool long_runs,
                                const std::function<bool(const queue_entry&)>& may) {
  std::vector<queue_entry> taken;
  // Lanes are visited one after the other; a first-come queue has only one.
  bool behind = long_runs;
  bool over = false;
  erase_if([&](const queue_entry& e) {
    if (e.kind == entry_kind::granted) {
      over = over || !taken.empty();
      behind = true;
      return false;
    }
    // A task that was sent stays: its scheduler chose the machine and expects the task to start
    // there.
    if (!behind || over || e.kind != entry_kind::reservation || !may(e))
      return false;
    taken.push_back(e);
    return true;
  });
  return taken;
}

} // namespace troupe
