#pragma once

#include "model/records/records.hpp"

namespace troupe {

/// Brings the records of all schedulers into the order of their ends, as schedulers hear of ends
/// with a delay. Records with the same instant are in the order of their numbers.
class record_order {
public:
  void add(record_batch&& batch) { waiting_.append(std::move(batch)); }

  /// Returns the records of ends up to an instant, in order. A record that is added after others
  /// with later ends have been returned is out of order.
  record_batch take_until(instant end);

  /// Returns all records that are left: at the end of the run, so that those of jobs and tasks
  /// that are not over come last.
  record_batch take_all();

private:
  record_batch waiting_;
};

} // namespace troupe
