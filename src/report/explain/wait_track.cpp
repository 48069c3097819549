#include "report/explain/wait_track.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

void wait_track::open(instant from, wait_reason why) {
  if (waiting())
    turn(why, from);
  else
    waits_.push_back({from, no_instant, why, 0});
}

void wait_track::close(instant at) {
  if (waiting())
    waits_.back().until = std::max(at, waits_.back().from);
}

void wait_track::turn(wait_reason why, instant at, std::uint64_t ahead) {
  if (!waiting() || why == wait_reason::none)
    return;
  auto& now = waits_.back();
  if (now.why == why) {
    now.ahead = now.ahead == 0 && now.from == at ? ahead : now.ahead;
    return;
  }
  if (now.from >= at) {
    now.why = why;
    now.ahead = ahead;
    return;
  }
  now.until = at;
  waits_.push_back({at, no_instant, why, ahead});
}

void wait_track::behind(std::uint64_t ahead, instant at) {
  if (!waiting())
    return;
  switch (waits_.back().why) {
  case wait_reason::behind_others:
    if (waits_.back().ahead == 0)
      waits_.back().ahead = ahead;
    break;
  case wait_reason::tenant_at_maximum:
  case wait_reason::no_offer:
  case wait_reason::waits_for_group:
    turn(wait_reason::behind_others, at, ahead);
    break;
  default:
    break;
  }
}

void wait_track::release(instant since) {
  if (waiting() && waits_.back().why == wait_reason::waits_for_group)
    turn(at_scheduler, since);
}

void wait_track::split(instant since) {
  if (waits_.empty() || waits_.front().why != wait_reason::waits_for_group)
    return;
  auto& first = waits_.front();
  if (first.until == no_instant) {
    first.until = since;
    waits_.push_back({since, no_instant, at_scheduler, 0});
  } else if (first.until > since) {
    const auto until = std::exchange(first.until, since);
    waits_.insert(waits_.begin() + 1, {since, until, at_scheduler, 0});
  }
}

void wait_track::back_off(instant until, wait_reason then, instant now) {
  until_ = until;
  then_ = then;
  turn(until > now ? wait_reason::backing_off : then, now);
}

void wait_track::pass(instant now) {
  if (until_ == no_instant || now <= until_)
    return;
  const auto at = std::exchange(until_, no_instant);
  if (waiting() && waits_.back().why == wait_reason::backing_off)
    turn(then_, at);
}

std::vector<story_wait> wait_track::finish() const {
  std::vector<story_wait> all;
  for (const auto& w : waits_)
    if (!all.empty() && all.back().why == w.why && all.back().until == w.from) {
      all.back().until = w.until;
      all.back().ahead = std::max(all.back().ahead, w.ahead);
    } else if (w.until == no_instant || w.until > w.from) {
      all.push_back(w);
    }
  return all;
}

} // namespace troupe
