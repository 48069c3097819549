#include "nodes/agent/hosted/work_history.hpp"

#include "runtime/cluster/places.hpp"

#include <algorithm>

namespace troupe {

std::vector<member_home> work_history::homes() const {
  auto places = places_of(*cluster_.settings(), 0).entries;
  places.push_back({role::master, 0, 0});
  std::vector<member_home> homes;
  for (auto& p : places) {
    const auto as = member_address(p.what, p.number);
    const auto where = node_.mail->node_of(as);
    if (!where)
      continue;
    p.incarnation = node_.mail->incarnation_of(as);
    homes.push_back({p, where->empty() ? node_.who.name : *where});
  }
  return homes;
}

void work_history::look(instant from, live_board& shown) {
  most_machines_ = std::max(most_machines_, roster_.machine_nodes().size());
  events_.look(std::max(instant{0}, instant{cluster_.now() - from}), roster_.nodes(), homes());
  policies_.note(*cluster_.settings(), cluster_.now(), from, shown, events_);
}

} // namespace troupe
