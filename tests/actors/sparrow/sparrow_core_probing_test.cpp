#include "actors/sparrow_cluster.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("at random every task goes to another machine at once") {
  cluster_of_one c{probing_by(probing::random)};
  c.submit(slot_job(1, 8));
  REQUIRE(c.out.entries.size() == 8);
  std::vector<machine_id> to;
  for (const auto& [m, entry] : c.out.entries) {
    CHECK(entry.kind == entry_kind::task);
    to.push_back(m);
  }
  CHECK(distinct(to) == 8);
  CHECK(c.core.counts().in_commit == 8);
}

TEST_CASE("per-task sampling sends each task to the shorter of its own two queues") {
  cluster_of_one c{probing_by(probing::per_task)};
  c.submit(slot_job(1, 2));
  REQUIRE(c.out.probes.size() == 4);
  const auto probes = c.out.probes;
  const std::int32_t lengths[] = {2, 1, 0, -1}; // the second task's queues are both shorter
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(c.out.entries.empty());
    CHECK(probes[i].second.index == i);
    c.core.answer({probes[i].second.round, i, lengths[i]}, c.out);
  }
  REQUIRE(c.out.entries.size() == 2);
  CHECK(c.out.entries[0].first == probes[1].first);
  CHECK(c.out.entries[1].first == probes[3].first);
}

TEST_CASE("batch sampling sends the tasks to the shortest of all queues probed") {
  cluster_of_one c{probing_by(probing::batch)};
  c.submit(slot_job(1, 2));
  REQUIRE(c.out.probes.size() == 4);
  const auto probes = c.out.probes;
  const std::int32_t lengths[] = {2, 1, 0, -1};
  for (std::uint32_t i = 4; i-- > 0;)
    c.core.answer({probes[i].second.round, i, lengths[i]}, c.out);
  REQUIRE(c.out.entries.size() == 2);
  CHECK(c.out.entries[0].first == probes[3].first);
  CHECK(c.out.entries[1].first == probes[2].first);
  c.core.answer({probes[0].second.round, 0, -5}, c.out);
  CHECK(c.out.entries.size() == 2);
}

TEST_CASE("the job of the highest priority is decided on first, and deciding takes time") {
  sparrow_limits limits;
  limits.t_job = 1s;
  limits.t_task = 10ms;
  cluster_of_one c{limits};
  auto urgent = slot_job(2, 3);
  urgent.priority = 5;
  c.core.submit({slot_job(1, 1), urgent});
  CHECK(c.core.decide(0s) == duration{1030ms});
  c.core.place(c.out);
  CHECK(c.out.entries.front().second.order.task.job == 2);
  CHECK(c.core.decide(0s) == duration{1010ms});
  c.core.place(c.out);
  CHECK_FALSE(c.core.decide(0s));
  CHECK(c.sample().busy == 2040ms);
}

TEST_CASE("a probe that a dead machine owes an answer does not hold its job up") {
  cluster_of_one c{probing_by(probing::batch)};
  c.submit(slot_job(1, 1));
  const auto probes = c.out.probes;
  REQUIRE(probes.size() == 2);
  c.core.answer({probes[0].second.round, 0, 9}, c.out);
  c.core.remove(probes[1].first, 0s, c.out);
  REQUIRE(c.out.entries.size() == 1);
  CHECK(c.out.entries[0].first == probes[0].first);
}

TEST_CASE("a round whose machines are all gone begins again") {
  cluster_of_one c{probing_by(probing::per_task)};
  c.submit(slot_job(1, 1));
  const auto probes = c.out.probes;
  REQUIRE(probes.size() == 2);
  c.core.answer({probes[0].second.round, 0, 0}, c.out);
  c.out.clear();
  c.core.remove(probes[0].first, 0s, c.out);
  c.core.remove(probes[1].first, 0s, c.out);
  CHECK(c.out.entries.empty());
  REQUIRE(c.out.probes.size() == 2);
  for (const auto& [m, probe] : c.out.probes)
    CHECK((m != probes[0].first && m != probes[1].first));
}

TEST_CASE("a ratio that follows the load is one over the share of machines met with room") {
  sparrow_limits limits;
  limits.adaptive_ratio = true;
  limits.ratio_min = 1;
  limits.ratio_max = 4;
  cluster_of_one c{limits};
  CHECK(c.core.ratio() == 2);
  const auto run_job = [&](job_id id, bool room) {
    c.out.clear();
    c.submit(slot_job(id, 1));
    const auto reserved = c.reserved();
    const auto a = c.core.hand_out({id, 0, reserved[0], reserved[0], room ? -1 : 3}, c.out);
    for (std::size_t i = 1; i < reserved.size(); ++i)
      c.core.hand_out({id, 0, reserved[i], reserved[i], 3}, c.out);
    c.start(a, reserved[0], 1s);
    c.end(a.order.task, reserved[0], 2s);
  };
  run_job(1, true); // one of two
  CHECK(c.core.ratio() == doctest::Approx(2));
  for (job_id id = 2; id < 200; ++id)
    run_job(id, false);
  CHECK(c.core.ratio() == 4);
}
