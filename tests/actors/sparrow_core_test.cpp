#include "actors/sparrow_core.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// A Sparrow scheduler on eight machines with one slot, unless the test says otherwise.
struct cluster_of_one {
  explicit cluster_of_one(const sparrow_limits& limits = {},
                          catalog machines_ = even_catalog(8, 1, 1))
    : machines(std::move(machines_)), core(3, machines, limits, random_stream{1}) {}

  void submit(job j) {
    core.submit({std::move(j)});
    while (core.decide(0s))
      core.place(out);
  }

  task_assignment ask(job_id job, machine_id machine, std::uint32_t group = 0) {
    return core.hand_out({job, group, machine, machine, 0}, out);
  }

  void start(const task_assignment& a, machine_id machine, instant at) {
    core.book({{{a.order.task, machine, at}}, {}}, out);
  }

  void end(const task_id& task, machine_id machine, instant at) {
    core.book({{}, {{task, machine, task_outcome::finished, at}}}, out);
  }

  std::vector<machine_id> reserved() const {
    std::vector<machine_id> all;
    for (const auto& [m, entry] : out.entries)
      if (entry.kind == entry_kind::reservation)
        all.push_back(m);
    return all;
  }

  scheduler_sample sample(instant now = 0s) {
    scheduler_sample sum;
    for (const auto& s : core.take_samples(now))
      sum.merge(s.sample);
    return sum;
  }

  catalog machines;
  sparrow_core core;
  sparrow_outbox out;
};

sparrow_limits probing_by(probing how) {
  sparrow_limits limits;
  limits.how = how;
  return limits;
}

std::size_t distinct(std::vector<machine_id> all) {
  return std::set<machine_id>{all.begin(), all.end()}.size();
}

/// Eight machines, the first four with an ssd.
catalog half_ssd() {
  std::vector<machine_info> machines;
  for (std::uint32_t m = 0; m < 8; ++m)
    machines.push_back({resources::of_slots(1), 1, m / 4});
  return {std::move(machines), {{"a", {{"disk", "ssd"}}}, {"b", {{"disk", "hdd"}}}}, 1, one_slot};
}

} // namespace

TEST_CASE("late binding reserves ratio times the tasks, on different machines, rounded up") {
  sparrow_limits limits;
  limits.ratio = 1.5;
  cluster_of_one c{limits};
  c.submit(slot_job(1, 3));
  CHECK(c.reserved().size() == 5);
  CHECK(distinct(c.reserved()) == 5);
  for (const auto& [m, entry] : c.out.entries) {
    CHECK(entry.order.owner == 3);
    CHECK(entry.order.task.job == 1);
    CHECK(entry.order.demand == one_slot);
    CHECK(entry.placed_on == m);
  }
  CHECK(c.core.counts().queued == 3);
}

TEST_CASE("with fewer machines than reservations some have several") {
  cluster_of_one c{{}, even_catalog(3, 1, 1)};
  c.submit(slot_job(1, 4));
  CHECK(c.reserved().size() == 8);
  CHECK(distinct(c.reserved()) == 3);
}

TEST_CASE("the first to ask get the tasks, the others nothing, and the rest is cancelled") {
  cluster_of_one c;
  c.submit(slot_job(1, 2));
  const auto reserved = c.reserved();
  REQUIRE(reserved.size() == 4);
  const auto first = c.ask(1, reserved[2]);
  CHECK_FALSE(first.none);
  CHECK(first.order.task == task_id{1, 0});
  CHECK(first.order.by_scheduler);
  CHECK(first.order.owner == 3);
  CHECK(c.out.cancellations.empty());
  CHECK(c.ask(1, reserved[0]).order.task == task_id{1, 1});
  REQUIRE(c.out.cancellations.size() == 2);
  CHECK(distinct({c.out.cancellations[0].first, c.out.cancellations[1].first}) == 2);
  for (const auto& [m, what] : c.out.cancellations) {
    CHECK((m == reserved[1] || m == reserved[3]));
    CHECK(what.job == 1);
    CHECK(what.scheduler == 3);
  }
  const auto late = c.ask(1, reserved[1]);
  CHECK(late.none);
  CHECK(late.order.task.job == 1);
  CHECK(late.order.owner == 3);
  const auto s = c.sample().sparrow;
  CHECK(s.reservations == 4);
  CHECK(s.requests == 3);
  CHECK(s.noops == 1);
  CHECK(s.cancellations == 2);
  CHECK(s.launched == 2);
}

TEST_CASE("without cancellation reservations stay, and come to nothing") {
  sparrow_limits limits;
  limits.cancellation = false;
  cluster_of_one c{limits};
  c.submit(slot_job(1, 1));
  const auto reserved = c.reserved();
  CHECK_FALSE(c.ask(1, reserved[0]).none);
  CHECK(c.out.cancellations.empty());
  CHECK(c.ask(1, reserved[1]).none);
  CHECK(c.ask(77, 0).none);
}

TEST_CASE("the delay lasts until the task starts, the response until the last one ends") {
  cluster_of_one c;
  c.submit(slot_job(1, 2, 10s));
  const auto a = c.ask(1, c.reserved()[0]);
  const auto b = c.ask(1, c.reserved()[1]);
  CHECK(c.core.counts().in_commit == 2);
  c.start(a, c.reserved()[0], 11s);
  c.start(b, c.reserved()[1], 13s);
  CHECK(c.core.counts().running == 2);
  c.end(a.order.task, c.reserved()[0], 20s);
  CHECK_FALSE(c.core.idle());
  c.end(b.order.task, c.reserved()[1], 18s);
  CHECK(c.core.idle());
  const auto s = c.sample();
  CHECK(s.delay.count() == 2);
  CHECK(s.delay.mean() == doctest::Approx(2));
  CHECK(s.job_response.max() == doctest::Approx(10));
  CHECK(s.quality.count == 2);
  CHECK(s.tasks.placed == 2);
  CHECK(s.tasks.finished == 2);
  CHECK(s.jobs_finished == 1);
  CHECK(s.duplicate_grants == 0);
}

TEST_CASE("jobs submitted in the warm-up are left out of delays and responses") {
  sparrow_limits limits;
  limits.warmup = 5s;
  cluster_of_one c{limits};
  c.submit(slot_job(1, 1, 4s));
  const auto a = c.ask(1, c.reserved()[0]);
  c.start(a, c.reserved()[0], 6s);
  c.end(a.order.task, c.reserved()[0], 7s);
  const auto s = c.sample();
  CHECK(s.tasks.finished == 1);
  CHECK(s.delay.empty());
  CHECK(s.job_response.empty());
}

TEST_CASE("a task that starts or ends twice is noticed") {
  cluster_of_one c;
  c.submit(slot_job(1, 2));
  const auto m = c.reserved()[0];
  const auto a = c.ask(1, m);
  c.start(a, m, 1s);
  CHECK(c.sample().duplicate_grants == 0);
  c.start(a, m, 1s);
  CHECK(c.sample().duplicate_grants == 1);
  c.end(a.order.task, m, 2s);
  c.end(a.order.task, m, 2s);
  CHECK(c.sample().duplicate_grants == 1);
}

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

TEST_CASE("a constrained group is reserved for on its machines, and shares the job's others") {
  cluster_of_one c{{}, half_ssd()};
  auto j = slot_job(1, 2);
  j.groups.push_back({2, one_slot, {1s}, {parse_constraint("disk == ssd")}});
  c.submit(j);
  for (const auto& [m, entry] : c.out.entries)
    if (entry.group == 1)
      CHECK(c.machines.kind_of(m).attributes.at("disk") == "ssd");
  // Reservations for the constrained group are used for it first, and then for the others.
  CHECK(c.ask(1, 0, 1).order.task == task_id{1, 2});
  CHECK(c.ask(1, 1, 1).order.task == task_id{1, 3});
  CHECK(c.ask(1, 2, 1).order.task == task_id{1, 0});
  CHECK(c.ask(1, 7, 0).order.task == task_id{1, 1});
}

TEST_CASE("a machine that does not suit a task is not given it, and another one is asked") {
  cluster_of_one c{{}, half_ssd()};
  auto j = slot_job(1, 1);
  j.groups[0].constraints = {parse_constraint("disk == ssd")};
  c.submit(j);
  CHECK(c.reserved().size() == 2);
  // A machine of the other kind has stolen one reservation after the other.
  for (int i = 0; i < 2; ++i)
    CHECK(c.core.hand_out({1, 0, 7, c.reserved()[static_cast<std::size_t>(i)], 0}, c.out).none);
  REQUIRE(c.reserved().size() == 3);
  CHECK_FALSE(c.ask(1, c.reserved().back()).none);
}

TEST_CASE("tasks that are to keep apart never share a machine") {
  sparrow_limits limits;
  limits.ratio = 3;
  cluster_of_one c{limits, even_catalog(2, 1, 4)};
  auto j = slot_job(1, 3);
  j.spread = true;
  c.submit(j);
  CHECK(c.reserved().size() == 2);
  const auto a = c.ask(1, 0);
  const auto b = c.ask(1, 1);
  CHECK_FALSE(a.none);
  CHECK_FALSE(b.none);
  CHECK(c.ask(1, 0).none);
  c.out.clear();
  c.start(a, 0, 1s);
  CHECK(c.reserved().empty());
  c.end(a.order.task, 0, 2s);
  CHECK(c.reserved() == std::vector<machine_id>{0});
  CHECK_FALSE(c.ask(1, 0).none);
  CHECK(c.sample().constraint_violations == 0);
}

TEST_CASE("what runs again waits from the loss of its last run on") {
  cluster_of_one c;
  c.submit(slot_job(1, 2, 1s));
  const auto reserved = c.reserved();
  const auto a = c.ask(1, reserved[0]);
  CHECK_FALSE(c.ask(1, reserved[1]).none);
  c.start(a, reserved[0], 3s);
  auto s = c.sample(4s);
  CHECK(s.delay.max() == doctest::Approx(2));
  CHECK(s.waiting.count() == 1); // sent, and not started
  CHECK(s.waiting.max() == doctest::Approx(3));
  c.out.clear();
  c.core.remove(reserved[0], 5s, c.out);
  c.core.remove(reserved[1], 5s, c.out);
  s = c.sample(6s);
  CHECK(s.waiting.count() == 2);
  CHECK(s.waiting.min() == doctest::Approx(1)); // it has run until 5 s
  CHECK(s.waiting.max() == doctest::Approx(5)); // it has never run
  auto again = c.reserved();
  std::erase_if(again, [&](machine_id m) { return m == reserved[0] || m == reserved[1]; });
  for (std::size_t i = 0; i < 2; ++i)
    c.start(c.ask(1, again.at(i)), again.at(i), 7s);
  s = c.sample(8s);
  CHECK(s.delay.count() == 2);
  CHECK(s.delay.min() == doctest::Approx(2));
  CHECK(s.delay.max() == doctest::Approx(6));
  CHECK(s.waiting.empty());
  CHECK(s.open_jobs.max() == doctest::Approx(7));
}

TEST_CASE("what was on a machine that is gone is reserved, and run, elsewhere") {
  cluster_of_one c;
  c.submit(slot_job(1, 2));
  const auto reserved = c.reserved();
  const auto a = c.ask(1, reserved[0]);
  c.start(a, reserved[0], 1s);
  CHECK(c.core.counts().running == 1);
  c.out.clear();
  c.core.remove(reserved[0], 0s, c.out);
  CHECK(c.core.counts().running == 0);
  CHECK(c.core.counts().queued == 2);
  c.core.remove(reserved[1], 0s, c.out);
  c.core.remove(reserved[2], 0s, c.out);
  c.core.remove(reserved[3], 0s, c.out);
  // Two tasks wait, so two reservations stand, on machines that are there.
  std::vector<machine_id> left;
  for (const auto m : c.reserved())
    if (std::ranges::find(reserved, m) == reserved.end())
      left.push_back(m);
  REQUIRE(left.size() == 2);
  CHECK_FALSE(c.ask(1, left[0]).none);
  CHECK_FALSE(c.ask(1, left[1]).none);
  // News from the dead changes nothing.
  c.end(a.order.task, reserved[0], 3s);
  CHECK(c.sample().duplicate_grants == 0);
  CHECK(c.core.counts().finished == 0);
}

TEST_CASE("a task that was killed is run again") {
  for (const auto how : {probing::late_binding, probing::random}) {
    cluster_of_one c{probing_by(how)};
    c.submit(slot_job(1, 1));
    machine_id m = c.out.entries[0].first;
    if (how == probing::late_binding)
      c.ask(1, m);
    c.core.book({{{{1, 0}, m, 1s}}, {{{1, 0}, m, task_outcome::preempted, 2s}}}, c.out);
    CHECK(c.core.counts().running == 0);
    CHECK(c.core.counts().queued + c.core.counts().in_commit == 1);
    m = c.out.entries.back().first;
    if (how == probing::late_binding)
      CHECK_FALSE(c.ask(1, m).none);
    c.core.book({{{{1, 0}, m, 3s}}, {{{1, 0}, m, task_outcome::finished, 4s}}}, c.out);
    CHECK(c.core.idle());
    CHECK(c.sample().duplicate_grants == 0);
  }
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

TEST_CASE("a job without tasks and one that comes twice are refused") {
  cluster_of_one c;
  c.submit(slot_job(1, 1));
  CHECK_THROWS_AS(c.core.submit({slot_job(1, 1)}), std::invalid_argument);
  CHECK_THROWS_AS(c.core.submit({job{2}}), std::invalid_argument);
}
