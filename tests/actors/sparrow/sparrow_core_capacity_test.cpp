#include "actors/sparrow/session_world.hpp"
#include "actors/sparrow_cluster.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

task_end lost(const task_id& task, machine_id machine, instant at) {
  return {task, machine, task_outcome::lost, at};
}

std::vector<machine_id> targets(const sparrow_outbox& out) {
  std::vector<machine_id> all;
  for (const auto& [m, _] : out.entries)
    all.push_back(m);
  return all;
}

} // namespace

TEST_CASE("a scheduler avoids a machine that has left, and uses it when it is back") {
  cluster_of_one c{{}, even_catalog(2, 1, 1)};
  c.submit(slot_job(1, 2));
  const auto task = c.ask(1, 0);
  c.start(task, 0, 1s);
  CHECK_FALSE(c.ask(1, 1).none);
  c.out.clear();
  c.core.book({{}, {lost(task.order.task, 0, 2s)}}, c.out);
  c.core.set_capacity({0, {}, 1}, c.out);
  CHECK(c.out.heard.size() == 1);
  CHECK(c.out.heard[0].second.number == 1);
  CHECK(c.core.counts().queued == 1);
  c.out.clear();
  c.core.set_capacity({1, {}, 1}, c.out); // the other task was sent there
  CHECK(c.core.counts().queued == 2);
  CHECK(c.core.counts().in_commit == 0);
  CHECK(c.reserved().empty()); // there is no machine
  CHECK(c.ask(1, 0).none);
  c.submit(slot_job(2, 1));
  CHECK(c.reserved().empty());
  c.core.set_capacity({1, one_slot, 2}, c.out);
  CHECK(distinct(c.reserved()) == 1);
  CHECK(c.reserved().size() == 3);
  CHECK_FALSE(c.ask(1, 1).none);
  CHECK_FALSE(c.ask(2, 1).none);
}

TEST_CASE("what waits on a machine that has too little for it now goes elsewhere") {
  for (const auto how : {probing::late_binding, probing::random, probing::batch}) {
    CAPTURE(static_cast<int>(how));
    auto limits = probing_by(how);
    limits.ratio = 1;
    cluster_of_one c{limits, even_catalog(2, 1, 2)};
    auto j = slot_job(1, 1);
    j.groups[0].demand = resources::of_slots(2);
    c.submit(std::move(j));
    for (const auto& [m, p] : std::exchange(c.out.probes, {}))
      c.core.answer({p.round, p.index, -1}, c.out);
    REQUIRE(c.out.entries.size() == 1);
    const auto first = c.out.entries[0].first;
    c.out.clear();
    c.core.set_capacity({first, one_slot, 1}, c.out);
    for (const auto& [m, p] : std::exchange(c.out.probes, {}))
      c.core.answer({p.round, p.index, -1}, c.out);
    CHECK(targets(c.out) == std::vector<machine_id>{1 - first});
    CHECK(c.core.counts().submitted == 1);
    c.out.clear();
    c.submit(slot_job(2, 1));
    CHECK(c.core.counts().submitted == 2);
  }
}

TEST_CASE("what fits stays where it waits") {
  cluster_of_one c{probing_by(probing::random), even_catalog(2, 1, 2)};
  c.submit(slot_job(1, 1));
  const auto first = c.out.entries[0].first;
  c.out.clear();
  c.core.set_capacity({first, one_slot, 1}, c.out);
  CHECK(c.out.entries.empty());
  CHECK(c.core.counts().in_commit == 1);
}

TEST_CASE("a probe that is lost with its machine strands no task") {
  cluster_of_one c{probing_by(probing::batch), even_catalog(2, 1, 1)};
  c.submit(slot_job(1, 1));
  REQUIRE(c.out.probes.size() == 2);
  const auto [m, p] = c.out.probes[0];
  c.core.answer({p.round, p.index, 0}, c.out);
  c.out.clear();
  c.core.set_capacity({static_cast<machine_id>(1 - m), {}, 1}, c.out);
  CHECK(targets(c.out) == std::vector<machine_id>{m});
}

TEST_CASE("probes to machines that have all left are sent again when one is back") {
  cluster_of_one c{probing_by(probing::batch), even_catalog(2, 1, 1)};
  c.submit(slot_job(1, 1));
  c.core.set_capacity({0, {}, 1}, c.out);
  c.core.set_capacity({1, {}, 1}, c.out);
  c.out.clear();
  CHECK(c.core.counts().queued == 1);
  c.core.set_capacity({1, one_slot, 2}, c.out);
  REQUIRE_FALSE(c.out.probes.empty());
  for (const auto& [m, p] : std::exchange(c.out.probes, {})) {
    CHECK(m == 1);
    c.core.answer({p.round, p.index, 0}, c.out);
  }
  CHECK(targets(c.out) == std::vector<machine_id>{1});
}

TEST_CASE("a task that machines lose too often is given up where failures are watched") {
  cluster_of_one c{probing_by(probing::random), even_catalog(1, 1, 1)};
  c.core.watch_failures(1);
  c.core.restore(0, c.out);
  c.submit(slot_job(1, 1));
  for (int run = 0; run < 2; ++run)
    c.core.book({{{{1, 0}, 0, 1s}}, {lost({1, 0}, 0, 2s)}}, c.out);
  CHECK(c.core.counts().lost == 1);
  CHECK(c.core.idle());
}

TEST_CASE("a session begins with what the machine has, and goes on with its notices") {
  session_world w;
  w.session.vouched(0s, 0s);
  for (machine_id m = 0; m < 4; ++m) {
    auto b = w.joining(m, 0s);
    if (m < 3)
      b.capacity = {{m, {}, 4}};
    w.session.hear(b, 0s);
  }
  std::size_t heard = 0;
  for (const auto& orders : w.session.due_orders(0s))
    for (const auto& o : orders.orders)
      if (const auto* h = std::get_if<capacity_heard>(&o)) {
        CHECK(orders.machine < 3);
        CHECK(h->scheduler == own_id);
        CHECK(h->number == 4);
        ++heard;
      }
  CHECK(heard == 3);
  w.deliver(slot_job(1, 2), 1s);
  CHECK(w.ordered(1s) == std::set<machine_id>{3});
  w.tell(3, capacity_notice{3, {}, 1}, 1100ms);
  CHECK(w.ordered(1100ms).empty());
  CHECK(w.core.counts().queued == 2);
  w.tell(2, capacity_notice{2, one_slot, 5}, 1200ms);
  CHECK(w.ordered(1200ms) == std::set<machine_id>{2});
}
