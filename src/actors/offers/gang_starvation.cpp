#include "actors/offers/gang_starvation.hpp"

namespace troupe {

void gang_starvation::note(scheduler_id framework, bool has_room, instant now) {
  auto& since = since_[framework];
  if (!has_room)
    since.reset();
  else if (!since)
    since = now;
}

void gang_starvation::offered_all(scheduler_id framework, instant now) {
  if (since_[framework])
    since_[framework] = now;
  if (for_ == framework)
    for_.reset();
}

std::optional<scheduler_id> gang_starvation::waits_for(instant now) {
  if (for_ && (!since_[*for_] || (++rounds_ > least_rounds && now - began_ >= longest_wait)))
    offered_all(*for_, now); // it has had its turn
  if (for_)
    return for_;
  for (scheduler_id f = 0; f < since_.size(); ++f)
    if (since_[f] && now - *since_[f] >= patience && (!for_ || *since_[f] < *since_[*for_]))
      for_ = f;
  began_ = now;
  rounds_ = 0;
  return for_;
}

} // namespace troupe
