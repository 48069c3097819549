#include "model/records/records.hpp"

namespace troupe {

void record_batch::move_earlier(duration by) {
  const auto move = [by](auto&... instants) {
    ((instants = instants == no_instant ? no_instant : instants - by), ...);
  };
  for (auto& j : jobs)
    move(j.at.submitted, j.at.began, j.at.decided, j.at.first_placed, j.at.last_placed, j.at.ended);
  for (auto& t : tasks)
    move(t.at.submitted, t.at.eligible, t.at.began, t.at.decided, t.at.granted, t.at.started,
         t.at.ended);
  for (auto& a : attempts)
    move(a.at, a.retry_at);
}

void record_batch::clear() {
  jobs.clear();
  tasks.clear();
  attempts.clear();
  more = false;
}

} // namespace troupe
