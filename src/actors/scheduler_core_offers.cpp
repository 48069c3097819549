#include "actors/scheduler_core.hpp"

namespace troupe {

void scheduler_core::offer(const resource_offer& what) {
  offers_.settled(what.settled_below);
  if (!offers_.receive(what.id, what.machines))
    return;
  for (const auto& [machine, amount] : what.machines)
    view_.give(machine, amount);
  view_gained_ = true;
}

std::optional<offer_answer> scheduler_core::answer_offers() {
  if (!offers_.any())
    return std::nullopt;
  for (auto m : offers_.machines())
    view_.correct(m, {}, view_.version(m));
  return offers_.answer();
}

void scheduler_core::withdraw() {
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
    view_.give(d->machine, d->task.demand);
  }
  batch_.clear();
  while (!transactions_.empty() && !transactions_.back().over && transactions_.back().open == 0)
    transactions_.pop_back();
  check_balance();
}

bool scheduler_core::takes_back(const offer_recall& what) const {
  return what.rescind && !offers_.answered(what.id);
}

std::optional<offer_answer> scheduler_core::recall(const offer_recall& what) {
  offers_.settled(what.settled_below);
  if (offers_.answered(what.id)) {
    const auto* given = offers_.answer_to(what.id);
    return given ? std::optional{*given} : std::nullopt;
  }
  offers_.receive(what.id, {}); // if it was lost on its way
  return takes_back(what) ? answer_offers() : std::nullopt;
}

} // namespace troupe
