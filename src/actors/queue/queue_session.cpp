#include "actors/queue/queue_session.hpp"

namespace troupe {

void queue_session::begin() {
  orders_.reset(queue_session_number(scheduler_incarnation_, incarnation_));
  events_.reset(queue_session_number(scheduler_incarnation_, incarnation_));
}

void queue_session::adopt(incarnation_id scheduler_incarnation) {
  scheduler_incarnation_ = scheduler_incarnation;
  joined_ = false;
  told_idle_ = true;
  idle_sent_.reset();
  told_leaving_ = false;
  leave_sent_.reset();
  begin();
}

void queue_session::fence(incarnation_id incarnation) {
  const auto scheduler_incarnation = scheduler_incarnation_;
  const auto listed = listed_;
  *this = queue_session{incarnation};
  listed_ = listed;
  scheduler_incarnation_ = scheduler_incarnation;
  due_ = true;
  begin();
}

bool queue_session::extend(instant until, instant now) {
  if (until <= lease_until_)
    return false;
  const bool had_none = !leased(now);
  lease_until_ = until;
  return had_none;
}

void queue_session::renew(const queue_orders& orders, instant until, instant now) {
  joined_ = true;
  extend(until, now);
  events_.acknowledge(events_.session(), orders.events_heard, now);
  due_ = due_ || events_.has_new();
  const auto unknown = std::ranges::find_if(
    kept_, [&](const machine_event& e) { return e.number > orders.ends_done; });
  if (unknown != kept_.begin()) {
    kept_.erase(kept_.begin(), unknown);
    if (kept_.empty())
      kept_ = std::vector<machine_event>{};
    kept_since_ = now;
  }
  if (idle_sent_ && orders.answers >= *idle_sent_)
    told_idle_ = true;
  if (leave_sent_ && orders.answers >= *leave_sent_)
    told_leaving_ = true;
}

void queue_session::note_something() {
  told_idle_ = false;
  idle_sent_.reset();
}

void queue_session::tell(queue_event event) {
  events_.put(std::move(event));
  due_ = true;
  note_something();
}

void queue_session::tell_end(scheduler_id scheduler, const task_end& end) {
  const machine_event event{++ends_, scheduler, end};
  if (kept_.empty())
    kept_since_ = end.at;
  kept_.push_back(event);
  tell(event);
}

bool queue_session::keeps_end(const task_id& task) const {
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (const auto* ended = std::get_if<machine_event>(&events_[i]);
        ended != nullptr && ended->end.task == task)
      return true;
  return std::ranges::any_of(kept_, [&](const machine_event& e) { return e.end.task == task; });
}

instant queue_session::limit(bool busy, duration lease) const {
  if (running_ > 0)
    return lease_until_;
  return busy ? std::max<instant>(lease_until_, busy_since_ + lease) : instant::max();
}

bool queue_session::asks(bool busy, bool leaves, bool pulsed, duration patience,
                         instant now) const {
  return !joined_ || (leaves && !told_leaving_) || (busy ? !leased(now) : !told_idle_ && !pulsed) ||
         (!kept_.empty() && now >= kept_since_ + patience);
}

void queue_session::name_sides(queue_report& report) const {
  report.incarnation = incarnation_;
  report.scheduler_incarnation = scheduler_incarnation_;
  report.orders_seen = orders_.seen();
  report.first_event = events_.last() + 1;
}

void queue_session::write(queue_report& report, duration patience, instant now) {
  report.joins = !joined_;
  due_ = false;
  orders_.answered();
  if (!report.busy && !idle_sent_)
    idle_sent_ = now;
  if (report.leaves && !leave_sent_)
    leave_sent_ = now;
  if (report.asks)
    kept_since_ = now;
  if (report.joins) {
    report.ended = kept_;
  } else if (auto run = events_.next(now, patience)) {
    report.first_event = run->first;
    report.events = std::move(run->items);
    due_ = events_.due(now, patience);
  }
}

} // namespace troupe
