#include "actors/offers/open_offers.hpp"

#include <utility>

namespace troupe {

bool open_offers::receive(offer_id id, std::span<const machine_amount> machines) {
  if (id <= answered_ || !ids_.insert(id).second)
    return false;
  for (const auto& m : machines)
    machines_.push_back(m.machine);
  return true;
}

void open_offers::settled(offer_id below) {
  while (!answers_.empty() && answers_.front().last < below)
    answers_.pop_front();
}

const offer_answer& open_offers::answer(const resource_sum& wants, bool suppresses, bool gangs) {
  const auto last = *ids_.rbegin();
  answers_.push_back({framework_, answered_ + 1, last, std::exchange(used_, {}),
                      std::exchange(returned_, {}), wants, suppresses, gangs});
  answered_ = last;
  ids_.clear();
  machines_.clear();
  return answers_.back();
}

const offer_answer* open_offers::answer_to(offer_id id) const {
  for (const auto& a : answers_)
    if (a.first <= id && id <= a.last)
      return &a;
  return nullptr;
}

} // namespace troupe
