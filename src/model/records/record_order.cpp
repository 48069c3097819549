#include "model/records/record_order.hpp"

#include <utility>

namespace troupe {

void record_order::add(record_batch&& batch) {
  jobs_.add(std::move(batch.jobs));
  tasks_.add(std::move(batch.tasks));
  attempts_.add(std::move(batch.attempts));
}

void record_order::take_until(instant end, record_batch& to) {
  jobs_.take_until(end, to.jobs);
  tasks_.take_until(end, to.tasks);
  attempts_.take_until(end, to.attempts);
}

} // namespace troupe
