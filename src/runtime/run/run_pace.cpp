#include "runtime/run/run_pace.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// How often a run that waits looks whether it is to stop.
constexpr auto poll_of_stop = std::chrono::milliseconds{50};

/// A run that is later than this is not made up for.
constexpr auto made_up_for = std::chrono::milliseconds{200};

} // namespace

void run_pace::pause() {
  const std::lock_guard lock{mutex_};
  now_.paused = true;
  steps_ = 0;
  changed_.notify_all();
}

void run_pace::go_on() {
  const std::lock_guard lock{mutex_};
  now_.paused = false;
  since_.reset();
  changed_.notify_all();
}

void run_pace::step(std::uint64_t intervals) {
  const std::lock_guard lock{mutex_};
  now_.paused = true;
  steps_ += intervals;
  changed_.notify_all();
}

void run_pace::set_speed(double speed) {
  const std::lock_guard lock{mutex_};
  now_.speed = speed;
  since_.reset();
  changed_.notify_all();
}

run_pace::reading run_pace::read() const {
  const std::lock_guard lock{mutex_};
  return now_;
}

std::optional<run_pace::wall::duration> run_pace::next(instant from, instant to,
                                                       wall::time_point now) {
  const std::lock_guard lock{mutex_};
  if (now_.paused) {
    since_.reset();
    if (steps_ == 0)
      return std::nullopt;
    --steps_;
    return wall::duration::zero();
  }
  if (now_.speed <= 0)
    return wall::duration::zero();
  if (!since_) {
    since_ = now;
    at_ = from;
  }
  const std::chrono::duration<double> taken{to_seconds(to - at_) / now_.speed};
  const auto due = *since_ + std::chrono::duration_cast<wall::duration>(taken);
  if (now > due + made_up_for) {
    since_ = now;
    at_ = to;
  }
  return std::max(due - now, wall::duration::zero());
}

void run_pace::wait(instant from, instant to, const std::function<bool()>& stop,
                    const std::function<void(bool paused)>& waiting) {
  std::optional<bool> told;
  for (;;) {
    const auto left = next(from, to, wall::now());
    if ((left && *left == wall::duration::zero()) || stop())
      return;
    const bool paused = !left;
    if (told != paused)
      waiting(paused);
    told = paused;
    std::unique_lock lock{mutex_};
    if (steps_ == 0)
      changed_.wait_for(lock, left ? std::min<wall::duration>(*left, poll_of_stop) : poll_of_stop);
  }
}

} // namespace troupe
