#include "actors/machine/node_book.hpp"

#include <utility>

namespace troupe {

namespace {

void add(node_status& to, const node_status& more) {
  to.launched += more.launched;
  to.ended += more.ended;
  to.killed += more.killed;
  to.over_capacity += more.over_capacity;
  to.queues.merge(more.queues);
}

/// Returns the counts of a node that has gone.
node_status left_by(node_status of) {
  of.queues.machines = 0;
  for (auto& t : of.queues.tenants)
    t.now = {};
  return of;
}

} // namespace

void node_book::hear(std::uint32_t number, incarnation_id incarnation, const node_status& status) {
  auto& e = nodes_[number];
  if (incarnation < e.incarnation)
    return;
  if (incarnation > e.incarnation)
    add(past_, left_by(e.latest));
  e = {incarnation, status, true};
}

node_status node_book::take() {
  auto sum = past_;
  for (auto& [_, e] : nodes_)
    add(sum, std::exchange(e.heard, false) ? e.latest : left_by(e.latest));
  return sum;
}

} // namespace troupe
