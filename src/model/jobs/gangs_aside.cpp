#include "model/jobs/gangs_aside.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

bool gangs_aside::may_suffice(const resource_sum& free) const {
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (least_.amount[k] > free.amount[k])
      return false;
  return true;
}

void gangs_aside::note(const gang_need& need) {
  for (std::size_t k = 0; k < resource_kinds; ++k)
    least_.amount[k] = std::min(least_.amount[k], need.total.amount[k]);
}

void gangs_aside::calm(entry& gang) {
  restless_ -= std::exchange(gang.restless, false) ? 1 : 0;
}

void gangs_aside::lay(entry& gang, const waiting_task& whole, bool restless) {
  calm(gang);
  gang.whole = whole;
  gang.aside = true;
  gang.restless = restless;
  restless_ += restless ? 1 : 0;
  note(gang.need);
}

const gang_need* gangs_aside::need_of(job_id gang) const {
  const auto place = places_.find(gang);
  return place == places_.end() ? nullptr : &gangs_.at(place->second).need;
}

void gangs_aside::put(const waiting_task& whole, gang_need need, bool restless) {
  const auto [place, added] = places_.try_emplace(whole.task.job, last_ + 1);
  last_ += added;
  auto& gang = gangs_[place->second];
  gang.need = std::move(need);
  lay(gang, whole, restless);
}

void gangs_aside::put_again(const waiting_task& whole, bool restless) {
  lay(gangs_.at(places_.at(whole.task.job)), whole, restless);
}

std::optional<waiting_task> gangs_aside::drop(job_id gang) {
  const auto place = places_.find(gang);
  if (place == places_.end())
    return std::nullopt;
  const auto at = gangs_.find(place->second);
  calm(at->second);
  const auto dropped = at->second.aside ? std::optional{at->second.whole} : std::nullopt;
  gangs_.erase(at);
  places_.erase(place);
  if (gangs_.empty())
    least_ = unlimited();
  return dropped;
}

} // namespace troupe
