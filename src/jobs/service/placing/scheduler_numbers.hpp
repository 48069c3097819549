#pragma once

#include "jobs/service/store_changes.hpp"
#include "model/base/ids.hpp"

#include <stdexcept>

namespace troupe {

/// The scheduler's numbers of handed-out jobs have so many bits; what is above belongs to others.
inline constexpr int scheduler_job_bits = 40;

/// The numbers for jobs of the scheduling layer. Rises from 1 over all processes of the service:
/// the store keeps a mark, which is moved by many numbers at once.
class scheduler_numbers {
public:
  /// `next`: the mark in the store.
  scheduler_numbers(store_changes& changes, job_id next)
    : changes_(changes), next_(next), reserved_(next) {}

  /// Throws `std::runtime_error` if there are no numbers left.
  job_id next() {
    if (next_ >> scheduler_job_bits != 0)
      throw std::runtime_error{"the numbers for the scheduling layer are used up"};
    if (next_ == reserved_) {
      reserved_ += at_once;
      changes_.reserve_scheduler_jobs(reserved_);
    }
    return next_++;
  }

  /// Numbers for each mark in the store.
  static constexpr job_id at_once = 1'000;

private:
  store_changes& changes_;
  job_id next_;
  job_id reserved_; ///< numbers below may be used without another mark
};

} // namespace troupe
