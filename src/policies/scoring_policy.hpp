#pragma once

#include "policies/policy.hpp"

#include <cstdint>

namespace troupe {

/// A policy that says how well a machine suits a task, and leaves the rest to this class: of the
/// machines that have room and pass the filter, all of them or a few drawn at random, the one with
/// the highest score is picked, of equals the one looked at first.
class scoring_policy : public placement_policy {
public:
  /// `candidates`: machines drawn for a task, each free unit with the same chance; 0: all machines
  /// are looked at.
  explicit scoring_policy(std::uint32_t candidates = 0) : candidates_(candidates) {}

  /// Returns how well `machine`, which has room, suits the task: higher is better.
  virtual double score(const view& seen, const task_request& task, machine_id machine) = 0;

  /// Throws `std::domain_error` if a score is not a number.
  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override;

  bool is_exhaustive() const override { return candidates_ == 0; }

private:
  std::uint32_t candidates_;
};

} // namespace troupe
