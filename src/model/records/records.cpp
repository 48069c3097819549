#include "model/records/records.hpp"

#include <iterator>
#include <utility>

namespace troupe {

namespace {

template <class Record>
void append_records(std::vector<Record>& to, std::vector<Record>&& from) {
  // What has room keeps it: new memory costs more than the copy.
  if (to.empty() && to.capacity() < from.size())
    to = std::move(from);
  else
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

} // namespace

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

void record_batch::append(record_batch&& other) {
  append_records(jobs, std::move(other.jobs));
  append_records(tasks, std::move(other.tasks));
  append_records(attempts, std::move(other.attempts));
}

} // namespace troupe
