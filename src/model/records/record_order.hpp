#pragma once

#include "model/records/end_order.hpp"
#include "model/records/records.hpp"

namespace troupe {

/// Brings the records of all schedulers into the order of their ends, as schedulers hear of ends
/// with a delay. Records with the same instant are in the order of their numbers.
class record_order {
public:
  void add(record_batch&& batch);

  /// Adds the records of ends up to an instant to `to`, in order. A record that is added after
  /// others with later ends have been taken is out of order.
  void take_until(instant end, record_batch& to);

  /// Adds all records that are left: at the end of the run, so that those of jobs and tasks that
  /// are not over come last.
  void take_all(record_batch& to) { take_until(instant::max(), to); }

private:
  end_order<job_record> jobs_;
  end_order<task_record> tasks_;
  end_order<attempt_record> attempts_;
};

} // namespace troupe
