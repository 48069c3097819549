#include "actors/scheduler_core.hpp"

#include <algorithm>

namespace troupe {

void scheduler_core::drop_old_offers(offer_id latest) {
  if (!replaces_offers(latest))
    return;
  offers_life_ = life_of_offer(latest);
  view_.clear(offers_.machines());
  offers_ = open_offers(id_);
}

void scheduler_core::offer(const resource_offer& what) {
  if (life_of_offer(what.id) < offers_life_)
    return;
  drop_old_offers(what.id);
  offers_.settled(what.settled_below);
  if (!offers_.receive(what.id, what.machines))
    return;
  view_.give(what.machines);
  offer_quota_ = offers_.used() + batch_.size() + counts().queued;
  if (limits_.offer_tasks > 0)
    offer_quota_ = std::min<std::size_t>(offer_quota_, limits_.offer_tasks);
  view_gained_ = true;
}

std::optional<offer_answer> scheduler_core::answer_offers() {
  const bool asks = asked_for_ != gangs_.newest();
  asked_for_ = gangs_.newest();
  if (!offers_.any())
    return (asks || offers_.returns()) && limits_.source == view_source::offers
             ? std::optional{offers_.ask(gangs_.least())}
             : std::nullopt;
  view_.clear(offers_.machines());
  return offers_.answer(gangs_.least());
}

void scheduler_core::withdraw(instant now) {
  busy_.give_up(now, books_);
  // The same decision would take as long again.
  decision_quota_ = std::max<std::size_t>(1, batch_.size() / 2);
  for (auto d = batch_.rbegin(); d != batch_.rend(); ++d) {
    auto& counts = book_of(d->task).counts;
    --counts.in_commit;
    ++counts.queued;
    const bool gang = find_transaction(d->transaction).gang;
    auto task = d->task;
    task.whole = gang && task.task.index == 0;
    if (!gang || task.whole)
      jobs_.put_back(task);
    rules_.leave(*d->task.of, d->machine);
    release(d->machine, d->task);
  }
  batch_.clear();
  while (!transactions_.empty() && !transactions_.back().over && transactions_.back().open == 0)
    transactions_.pop_back();
  check_balance();
}

bool scheduler_core::takes_back(const offer_recall& what) const {
  return what.rescind && life_of_offer(what.id) >= offers_life_ && !offers_.answered(what.id);
}

std::optional<offer_answer> scheduler_core::recall(const offer_recall& what) {
  if (life_of_offer(what.id) < offers_life_)
    return std::nullopt;
  drop_old_offers(what.id);
  offers_.settled(what.settled_below);
  if (offers_.answered(what.id)) {
    const auto* given = offers_.answer_to(what.id);
    return given ? std::optional{*given} : std::nullopt;
  }
  offers_.receive(what.id, {}); // if it was lost on its way
  return takes_back(what) ? answer_offers() : std::nullopt;
}

} // namespace troupe
