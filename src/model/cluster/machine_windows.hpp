#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/machine/capacity_schedule.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

/// A time in which machines take no tasks, but those of one tenant if it is reserved for that one.
/// As in Slurm's maintenance reservations, a task is not started if it is expected to reach into
/// the window, and one that runs when the window begins goes on.
struct machine_window {
  instant from{0};                       ///< in the run
  instant to{0};                         ///< behind its end
  std::optional<std::uint32_t> tenant{}; ///< whom it is reserved for; none: maintenance
  std::vector<machine_id> machines{};

  /// Returns whether it keeps the tasks of a tenant away.
  bool excludes(std::uint32_t of) const { return !tenant || *tenant != of; }
};

/// The windows of all machines. Machines with the same windows are of one class; those without any
/// are of class 0, even if there are none. Classes are numbered in the order of their first
/// machines. Instants are those of the members' clock.
class machine_windows {
public:
  /// `begin`: of the run. Throws `std::invalid_argument` if there is no such machine.
  machine_windows(const std::vector<machine_window>& windows, std::uint32_t machines,
                  std::shared_ptr<const run_begin> begin);

  std::uint32_t classes() const { return static_cast<std::uint32_t>(of_class_.size()); }
  std::uint32_t class_of(machine_id m) const { return class_of_[m]; }

  /// Returns until when a machine of a class may be used by tasks of a tenant that start at an
  /// instant: that instant if a window excludes them; `instant::max()` if none will.
  instant open_until(std::uint32_t of_class, instant at, std::uint32_t tenant) const;

  /// Returns whether tasks of a tenant may be on machines of a class from an instant until another.
  bool admits(std::uint32_t of_class, instant from, instant until, std::uint32_t tenant) const {
    const auto open = open_until(of_class, from, tenant);
    return open > from && until <= open;
  }

  /// Returns the first end of a window after an instant; `instant::max()` if there is none.
  instant next_end(instant after) const;

  /// What comes later than decided by no more than this is let pass by owners, as messages take
  /// time.
  static constexpr duration slack = std::chrono::seconds{2};

private:
  instant run_time(instant at) const { return begin_ ? begin_->run_time(at) : at; }
  instant member_time(instant at) const { return begin_ ? begin_->member_time(at) : at; }

  std::vector<std::uint32_t> class_of_;               ///< by machine
  std::vector<std::vector<machine_window>> of_class_; ///< by their beginning; without machines
  std::vector<instant> ends_;                         ///< rising
  std::shared_ptr<const run_begin> begin_;
};

} // namespace troupe
