#include "model/metrics/task_balance.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Compares figures; keeps the first contradiction.
class auditor {
public:
  explicit auditor(task_balance& to) : to_(to) {}

  void expect(bool right, const std::string& who, std::uint64_t one, const char* says,
              std::uint64_t other, const char* instead) {
    if (!right && to_.wrong.empty())
      to_.wrong = who + " " + std::to_string(one) + says + std::to_string(other) + instead;
  }

  void look_at(scheduler_id number, const scheduler_account& of) {
    const auto who = "scheduler " + std::to_string(number) + " counts";
    const auto& in = of.places;
    to_.queued += in.queued;
    to_.in_commit += in.in_commit;
    to_.running += in.running;
    expect(of.counted.queued == in.queued, who, of.counted.queued, " tasks queued and holds ",
           in.queued, "");
    expect(of.counted.in_commit == in.in_commit, who, of.counted.in_commit,
           " tasks in commit and holds ", in.in_commit, "");
    expect(of.counted.running == in.running, who, of.counted.running,
           " running tasks and knows of ", in.running, "");
    if (in.stores.empty())
      return;
    std::uint64_t taken = 0;
    auto there = in.queued + in.in_commit + in.running;
    for (const auto& t : in.stores) {
      taken += t.taken;
      there += t.over + t.left;
      to_.queued += t.left;
    }
    expect(taken == there, "scheduler " + std::to_string(number) + " has taken", taken,
           " tasks and can say where ", there, " are");
  }

  void look_at(std::uint32_t store, const handed_tasks& handed, const scheduler_account& by,
               const handed_tasks* later, bool last) {
    const auto of = std::ranges::find(by.places.stores, store, &taken_tasks::store);
    const auto has = of == by.places.stores.end() ? taken_tasks{store} : *of;
    to_.on_the_way += handed.given - std::min(has.taken, handed.given);
    to_.on_the_way += has.over - std::min(handed.heard, has.over);
    if (!last)
      return;
    const auto who = "scheduler " + std::to_string(handed.scheduler);
    expect(has.taken - has.added <= handed.given, who + " has taken", has.taken - has.added,
           " tasks of ", handed.given, " that it was given");
    expect(has.taken + handed.unconfirmed >= handed.given, who + " has taken", has.taken,
           " tasks and has confirmed ", handed.given - handed.unconfirmed, "");
    expect(handed.heard <= has.over, who + " knows of the ends of", has.over,
           " tasks, its job store of ", handed.heard, "");
    if (later != nullptr)
      expect(has.over - has.untold <= later->heard, who + " has reported the ends of",
             has.over - has.untold, " tasks, its job store knows of ", later->heard, "");
  }

private:
  task_balance& to_;
};

/// Returns the later account of the same store for the same incarnation, or null.
const handed_tasks* find_later(const std::vector<store_account>* later, std::uint32_t store,
                               const handed_tasks& handed) {
  if (later == nullptr)
    return nullptr;
  for (const auto& s : *later)
    if (s.store == store)
      for (const auto& h : s.handed)
        if (h.scheduler == handed.scheduler && h.incarnation == handed.incarnation)
          return &h;
  return nullptr;
}

} // namespace

task_balance balance_of(const std::vector<store_account>& stores,
                        const std::map<scheduler_id, scheduler_account>& schedulers,
                        const std::vector<store_account>* later) {
  task_balance sum;
  auditor judge{sum};
  for (const auto& [number, of] : schedulers)
    if (of.places.told)
      judge.look_at(number, of);
  for (const auto& store : stores) {
    sum.submitted += store.tasks;
    sum.over += store.over;
    std::uint64_t open = 0;
    for (const auto& handed : store.handed) {
      open += handed.given - handed.heard;
      const auto by = schedulers.find(handed.scheduler);
      if (by == schedulers.end() || by->second.incarnation != handed.incarnation)
        sum.unheard += handed.given - handed.heard;
      else
        judge.look_at(store.store, handed, by->second, find_later(later, store.store, handed),
                      later != nullptr);
    }
    judge.expect(store.tasks == store.over + open,
                 "job store " + std::to_string(store.store) + " has accepted", store.tasks,
                 " tasks and can say where ", store.over + open, " are");
  }
  return sum;
}

} // namespace troupe
