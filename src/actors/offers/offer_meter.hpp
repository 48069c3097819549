#pragma once

#include "model/jobs/drf.hpp"
#include "model/protocol/offers.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Measures offers over the intervals between samples, for each group of frameworks and for all:
/// how many there were and what became of them, how much was locked, and the dominant shares.
class offer_meter {
public:
  /// `group_of`: of each framework.
  offer_meter(std::vector<std::uint32_t> group_of, const resource_sum& capacity);

  /// Begins to measure.
  void begin(instant now) { accounted_ = now; }

  /// Measures by another capacity from now on.
  void set_capacity(const resource_sum& capacity) { capacity_ = capacity; }

  /// The counts of a group.
  offer_sample& of(std::uint32_t group) { return samples_[group]; }

  /// Notes that resources are under offer to a group, or no more.
  void lock(std::uint32_t group, const resource_sum& total);
  void unlock(std::uint32_t group, const resource_sum& total);

  /// Adds the time since the last call. To be called before anything changes.
  void account(const resource_sum& all_free, const drf& shares, instant now);

  /// Returns the counts since the last call.
  allocator_status take();

private:
  std::vector<std::uint32_t> group_of_;
  resource_sum capacity_;
  std::vector<resource_sum> locked_;   ///< by group, and behind them of all
  std::vector<offer_sample> samples_;  ///< likewise
  std::vector<std::uint32_t> members_; ///< frameworks in each group, and in all
  instant accounted_{0};
};

} // namespace troupe
