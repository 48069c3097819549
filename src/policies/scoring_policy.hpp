#pragma once

#include "policies/policy.hpp"

#include <cstdint>

namespace troupe {

/// Base of a policy that only scores machines for a task. Of the machines that have room and pass
/// the filter, all of them or a few drawn at random, it picks the one with the highest score, and
/// of equal ones the first examined.
class scoring_policy : public placement_policy {
public:
  /// `candidates`: machines drawn for a task, each free unit with the same probability; 0: all
  /// machines are examined.
  explicit scoring_policy(std::uint32_t candidates = 0) : candidates_(candidates) {}

  /// Returns the score of `machine`, which has room, for the task; higher is better.
  virtual double score(const view& seen, const task_request& task, machine_id machine) = 0;

  /// Throws `std::domain_error` if a score is not a number.
  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override;

  bool is_exhaustive() const override { return candidates_ == 0; }

private:
  std::uint32_t candidates_;
};

} // namespace troupe
