#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/machine/capacity_schedule.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

/// A time in which machines take no tasks, except those of the tenant for which it is reserved. As
/// in Slurm's maintenance reservations, a task is not started if it is expected to run into the
/// window, and a task that runs when the window begins continues.
struct machine_window {
  instant from{0};                       ///< in the run
  instant to{0};                         ///< behind its end
  std::optional<std::uint32_t> tenant{}; ///< the tenant of a reservation; none: maintenance
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

  /// Returns whether a task of a tenant with this estimate (0: none) may start at an instant on a
  /// machine of a class.
  bool admits_task(std::uint32_t of_class, instant at, duration estimate,
                   std::uint32_t tenant) const {
    return admits(of_class, at, end_of(at, estimate), tenant);
  }

  /// Returns whether such a task might start at some instant between two, if its end may be late by
  /// `slack`.
  bool lets_start(std::uint32_t of_class, instant from, instant to, duration estimate,
                  std::uint32_t tenant) const;

  /// The same, as a machine judges late launches: now, or up to `slack` ago.
  bool lets_start(std::uint32_t of_class, instant now, duration estimate,
                  std::uint32_t tenant) const {
    return lets_start(of_class, now - slack, now, estimate, tenant);
  }

  /// Returns the first end of a window after an instant, of those of a class, or of all;
  /// `instant::max()` if there is none.
  instant next_end(std::uint32_t of_class, instant after) const;
  instant next_end(instant after) const;

  /// What comes later than decided by no more than this is let pass by owners and machines, as
  /// messages take time.
  static constexpr duration slack = std::chrono::seconds{2};

private:
  static instant end_of(instant at, duration estimate) {
    return estimate > duration::zero() ? at + estimate : instant::max();
  }

  instant run_time(instant at) const { return begin_ ? begin_->run_time(at) : at; }
  instant member_time(instant at) const { return begin_ ? begin_->member_time(at) : at; }

  std::vector<std::uint32_t> class_of_;               ///< by machine
  std::vector<std::vector<machine_window>> of_class_; ///< by their beginning; without machines
  std::vector<instant> ends_;                         ///< rising
  std::shared_ptr<const run_begin> begin_;
};

/// The classes of machines, by their windows, that may be used now.
class open_classes {
public:
  explicit open_classes(const machine_windows& windows)
    : windows_(&windows), open_(windows.classes()) {}

  const machine_windows& windows() const { return *windows_; }
  bool contains(machine_id m) const { return open_[windows_->class_of(m)] != 0; }
  void put(std::uint32_t of_class, bool open) { open_[of_class] = open; }
  void put_all(bool open) { open_.assign(open_.size(), open); }

private:
  const machine_windows* windows_;
  std::vector<std::uint8_t> open_;
};

/// The windows of one machine, as the machine itself applies them.
class machine_hours {
public:
  /// Of a machine without windows.
  machine_hours() = default;

  /// `windows` may be null.
  machine_hours(std::shared_ptr<const machine_windows> windows, machine_id machine);

  /// Returns whether there are any.
  bool any() const { return windows_ != nullptr; }

  /// As in `machine_windows`.
  bool admits_task(instant at, duration estimate, std::uint32_t tenant) const;
  bool lets_start(instant now, duration estimate, std::uint32_t tenant) const;
  instant next_end(instant after) const;

private:
  std::shared_ptr<const machine_windows> windows_; ///< null: the machine has none
  std::uint32_t class_ = 0;
};

} // namespace troupe
