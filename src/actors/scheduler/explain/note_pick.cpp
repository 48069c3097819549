#include "actors/scheduler/explain/note_pick.hpp"

#include <algorithm>
#include <bit>

namespace troupe {

machine_wish wish_of(const scheduler_tables& tables, const waiting_task& task) {
  return {task.demand, task.in->constraints, tables.rules.class_of(task), task.of->spread};
}

machine_facts seen_facts(const scheduler_tables& tables, const avoided_machines& avoided,
                         const job& of, machine_id machine, instant now) {
  const auto& seen = tables.charged.seen();
  const auto place = tables.setup.machines.place_of(machine);
  machine_facts facts;
  facts.free = seen.part(place.partition).free(place.index);
  facts.shared = tables.charged.shows_hidden() || !seen.hidden(place.partition);
  facts.job_there = of.spread && tables.rules.is_on(of, machine);
  facts.kept_away = avoided.contains(machine);
  if (const auto* windows = tables.setup.machines.windows()) {
    const auto until = of.estimate > duration::zero() ? now + of.estimate : instant::max();
    facts.closed = !windows->admits(windows->class_of(machine), now, until, of.tenant);
  }
  return facts;
}

void note_pick(task_watch& watch, const scheduler_tables& tables, const avoided_machines& avoided,
               const pick_note& what) {
  auto& e = watch.note(what.picked ? watched::picked : watched::found_none, tables.setup.id,
                       what.task.task.index);
  if (!what.picked) {
    // There may be thousands: the first ones, and then fewer and fewer, are described.
    const auto so_far = static_cast<std::size_t>(
      std::ranges::count(watch.events, watched::found_none, &watched_event::what));
    if (!std::has_single_bit(so_far))
      return;
  }
  const auto& cluster = tables.setup.machines;
  const auto& seen = tables.charged.seen();
  const auto wish = wish_of(tables, what.task);
  const auto by_view = [&](machine_id m) {
    return seen_facts(tables, avoided, *what.task.of, m, what.now);
  };
  const auto by_truth = [&](machine_id m) {
    auto facts = watch.truth(m);
    const auto believed = by_view(m);
    facts.shared = believed.shared;
    facts.job_there = believed.job_there;
    facts.closed = believed.closed;
    return facts;
  };
  auto pick = std::make_shared<watched_pick>();
  pick->goal = what.goal;
  pick->looked_at = what.looked_at;
  pick->preempts = what.preempts;
  pick->seen = survey(cluster, wish, by_view);
  if (watch.truth)
    pick->truth = survey(cluster, wish, by_truth);
  if (watch.asked_about && *watch.asked_about < cluster.machines()) {
    const auto m = *watch.asked_about;
    pick->asked_seen = examine(cluster, wish, m, by_view(m));
    if (watch.truth)
      pick->asked_truth = examine(cluster, wish, m, by_truth(m));
  }
  if (const auto* tenants = tables.charged.tenants())
    pick->share = tenants->share(what.task.tenant());
  if (tables.setup.learns_from_snapshots())
    pick->oldest = seen.greatest_age(what.now);
  if (what.picked) {
    const auto p = tables.setup.partition_of(*what.picked);
    e.machine = *what.picked;
    pick->partition = p;
    pick->score = cluster.score(*what.picked, wish.task_class);
    pick->better = count_better(cluster, wish, pick->score, by_view);
    if (tables.setup.learns_from_snapshots())
      pick->age = seen.age(p, what.now);
    for (partition_id q = 0; q < seen.partitions(); ++q) {
      pick->fresher += seen.round(q) > seen.round(p);
      pick->richer += seen.mean_weight(q, wish.task_class) > seen.mean_weight(p, wish.task_class);
    }
  }
  e.pick = std::move(pick);
}

} // namespace troupe
