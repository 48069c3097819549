#include "actors/sparrow/probing/machine_search.hpp"

namespace troupe {

void machine_search::place(open_job& j, sparrow_outbox& out) {
  j.placed = true;
  const auto per_task = tables_.ratio.value();
  if (tables_.limits.how != probing::random)
    tables_.accounts.sample_of(j).sparrow.ratio.add(per_task);
  tables_.probed.begin();
  // The groups with fewer machines to choose from choose first.
  for (const bool constrained : {true, false})
    for (std::uint32_t g = 0; g < j.groups.size(); ++g)
      if (j.what.groups[g].constraints.empty() != constrained)
        place_group(j, g, per_task, out);
  tables_.affected.note_shortage(j);
}

void machine_search::place_released(open_job& j, const std::vector<std::uint32_t>& groups,
                                    sparrow_outbox& out) {
  if (!j.placed)
    return;
  tables_.probed.begin_without_used(j);
  for (const auto g : groups)
    place_group(j, g, tables_.ratio.value(), out);
  tables_.affected.note_shortage(j);
}

void machine_search::look_again(open_job& j, sparrow_outbox& out) {
  if (j.abandoned)
    return;
  if (tables_.limits.how == probing::late_binding)
    reservations_.reserve_what_is_missing(j, out);
  else if (j.placed && j.ready() > 0) {
    tables_.probed.begin();
    for (std::uint32_t g = 0; g < j.groups.size(); ++g)
      place_group(j, g, tables_.ratio.value(), out);
    tables_.affected.note_shortage(j);
  }
}

void machine_search::place_group(open_job& j, std::uint32_t g, double ratio, sparrow_outbox& out) {
  switch (tables_.limits.how) {
  case probing::late_binding:
    reservations_.reserve(j, g, probe_ratio::times(ratio, j.groups[g].ready()), out);
    break;
  case probing::random:
    send_at_random(j, g, out);
    break;
  default:
    probes_.probe_for(j, g, ratio, out);
  }
}

void machine_search::send_at_random(open_job& j, std::uint32_t g, sparrow_outbox& out) {
  for (const auto m : tables_.probed.draw(j, g, j.groups[g].ready(), true))
    launcher_.send(j, g, j.take_task(g), m, out);
}

} // namespace troupe
