#include "actors/sparrow/probing/probe_sender.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

void probe_sender::probe_for(open_job& j, std::uint32_t g, double ratio, sparrow_outbox& out) {
  const std::size_t tasks = j.groups[g].ready();
  const auto each = std::max<std::size_t>(1, probe_ratio::times(ratio, 1));
  const auto probes = tables_.limits.how == probing::per_task
                        ? each * tasks
                        : std::max(tasks, probe_ratio::times(ratio, tasks));
  const auto& drawn = tables_.probed.draw(j, g, probes, true);
  if (drawn.empty() || tasks == 0)
    return;
  probe_round round{j.what.id, g};
  for (std::size_t i = 0; i < tasks; ++i)
    round.tasks.push_back(j.take_task(g));
  for (const auto m : drawn)
    round.probes.push_back({m});
  const auto number = rounds_.begin(std::move(round));
  for (std::uint32_t i = 0; i < drawn.size(); ++i)
    out.probes.emplace_back(drawn[i], queue_probe{tables_.id, number, i, j.what.groups[g].demand});
  tables_.accounts.note_drawn(j, watched::probed, g, drawn);
  tables_.accounts.sample_of(j).sparrow.probes += drawn.size();
}

void probe_sender::answer(const probe_answer& answer, sparrow_outbox& out) {
  const auto round = rounds_.answer(answer);
  if (!round)
    return;
  tables_.ratio.note_room(round->with_room(), round->probes.size());
  if (auto* watch = tables_.accounts.watching(round->job)) {
    auto& e = watch->note(watched::answered, tables_.id);
    e.count = round->with_room();
    for (const auto& p : round->probes)
      e.machines.push_back(p.machine);
  }
  assign(*round, out);
}

void probe_sender::assign(const probe_round& round, sparrow_outbox& out) {
  auto& j = *tables_.jobs.find(round.job);
  auto& probed = tables_.probed;
  const auto chosen = round.shortest(tables_.limits.how == probing::batch);
  for (std::size_t i = 0; i < round.tasks.size(); ++i)
    if (const auto to = round.probes[chosen[i]].machine;
        probed.is_gone(to) || !probed.has_room(j, round.group, to) || !probed.is_open_to(j, to))
      tables_.jobs.put_back(j, round.tasks[i]);
    else
      launcher_.send(j, round.group, round.tasks[i], to, out);
  if (!j.abandoned && j.groups[round.group].ready() > 0) { // the machines chosen for these are gone
    probed.begin();
    probe_for(j, round.group, tables_.ratio.value(), out);
    tables_.affected.note_shortage(j);
  }
}

} // namespace troupe
