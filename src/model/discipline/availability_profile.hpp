#pragma once

#include "model/base/resource_sum.hpp"
#include "model/base/time.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// Later than everything.
inline constexpr instant far_future = instant::max();

/// Returns the end of a use that begins at `from`; `far_future` if it is too far away.
constexpr instant end_after(instant from, duration length) {
  return length >= far_future - from ? far_future : from + length;
}

/// What is expected to be free from now on, as steps over time, in sums of each kind of resource. A
/// step may have less than nothing free, if more was promised than there is.
///
/// An operation costs a few ns for each step that it passes.
class availability_profile {
public:
  /// `kinds`: the kinds of resource that machines have. The others are not counted.
  explicit availability_profile(std::span<const resource> kinds);

  /// Forgets the steps before `now`, which never falls.
  void advance(instant now);

  /// More is free in [from, to), or less, of the amounts that are negative.
  void add(instant from, instant to, const resource_sum& amount);
  void take(instant from, instant to, const resource_sum& amount);

  /// Returns the first instant in [from, before) from which on `need` is free for `length`, or
  /// `far_future`.
  instant find(instant from, const resource_sum& need, duration length,
               instant before = far_future) const;

  /// The same for a request that has a reservation of `need` for `length` from `own` on: the first
  /// instant in [from, own) to which the reservation can be moved.
  instant find_earlier(instant from, const resource_sum& need, duration length, instant own) const;

  /// The least free amount in [from, to), of each counted kind.
  resource_sum least(instant from, instant to) const;

  /// Returns when the next step after an instant begins, or `far_future`.
  instant next_step(instant after) const;

  /// What is free at an instant, of the kinds that are counted.
  resource_sum free(instant at) const;

  /// The number of steps.
  std::size_t steps() const { return times_.size(); }

private:
  using amounts = std::array<std::int64_t, resource_kinds>;

  std::size_t step_at(instant at) const;
  std::size_t cut(instant at);
  void join(std::size_t step);
  bool suffices(std::size_t step, const amounts& need) const;
  std::size_t next_sufficient(std::size_t step, std::size_t end, const amounts& need) const;
  instant search(instant from, const resource_sum& need, duration length, instant before,
                 instant own) const;

  std::vector<std::size_t> kinds_;
  std::vector<instant> times_;                                 ///< where steps begin
  std::array<std::vector<std::int64_t>, resource_kinds> free_; ///< by place in `kinds_`, then step
};

} // namespace troupe
