#include "actors/master/master.hpp"
#include "actors/neighbours.hpp"
#include "support/state_of.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

struct master_fixture {
  owner_inbox got[2];
  world w;

  master_actor make(const sync_plan& plan) {
    const auto m = w.system().spawn(master, master_config{plan, {0, 1, 0}, {}});
    peers all;
    for (auto& g : got)
      all.owners.push_back(pointer(w.system().spawn(fake_owner, &g)));
    caf::anon_send(m, all);
    w.settle();
    return m;
  }

  static const master_state& state(const master_actor& m) {
    return state_of<master_actor, master_state>(m);
  }
};

} // namespace

TEST_CASE_FIXTURE(master_fixture, "round n starts at exactly n * gap / rounds, without drift") {
  const auto m = make(sync_plan::partitioned(1s, 3));
  w.run_until(100s);
  for (const auto& g : got) {
    REQUIRE(g.rounds.size() == 300);
    for (std::uint64_t n = 1; n <= 300; ++n) {
      CHECK_EQ(g.rounds[n - 1].second.number, n);
      CHECK_EQ(g.rounds[n - 1].first.count(), static_cast<std::int64_t>(n) * 1'000'000'000 / 3);
    }
  }
  CHECK(state(m).rounds == 300);
}

TEST_CASE_FIXTURE(master_fixture, "a full sync is one round per gap") {
  make(sync_plan::partitioned(700ms, 1));
  w.run_until(2s);
  REQUIRE(got[1].rounds.size() == 2);
  CHECK(got[1].rounds[0].first == 700ms);
  CHECK(got[1].rounds[1].first == 1400ms);
}

TEST_CASE_FIXTURE(master_fixture, "without a plan there are no rounds") {
  const auto m = make(sync_plan::none());
  w.run();
  CHECK(w.now() == 0s);
  CHECK(got[0].rounds.empty());
  CHECK(state(m).rounds == 0);
}

TEST_CASE_FIXTURE(master_fixture, "members join, leave and die") {
  const auto m = make(sync_plan::none());
  scheduler_inbox unused;
  const auto first = w.system().spawn(fake_scheduler, &unused);
  const auto second = w.system().spawn(fake_scheduler, &unused);
  const auto third = w.system().spawn(fake_scheduler, &unused);
  caf::anon_send(m, join_atom_v, member{role::scheduler, 0}, pointer(first));
  caf::anon_send(m, join_atom_v, member{role::scheduler, 1}, pointer(second));
  caf::anon_send(m, join_atom_v, member{role::node, 0}, pointer(third));
  w.settle();
  CHECK(state(m).members() == 3);

  caf::anon_send(m, gone_atom_v, member{role::scheduler, 0});
  caf::anon_send(m, gone_atom_v, member{role::scheduler, 0});
  caf::anon_send(m, gone_atom_v, member{role::workload, 5});
  w.settle();
  CHECK(state(m).members() == 2);

  caf::anon_send_exit(second, caf::exit_reason::kill);
  w.settle();
  CHECK(state(m).members() == 1);
}

TEST_CASE_FIXTURE(master_fixture, "a member that comes again replaces the one before") {
  const auto m = make(sync_plan::none());
  scheduler_inbox unused;
  const auto before = w.system().spawn(fake_scheduler, &unused);
  const auto after = w.system().spawn(fake_scheduler, &unused);
  caf::anon_send(m, join_atom_v, member{role::scheduler, 4}, pointer(before));
  caf::anon_send(m, join_atom_v, member{role::scheduler, 4}, pointer(after));
  caf::anon_send(m, join_atom_v, member{role::owner, 4}, caf::strong_actor_ptr{});
  w.settle();
  CHECK(state(m).members() == 1);
  caf::anon_send_exit(before, caf::exit_reason::kill);
  w.settle();
  CHECK(state(m).members() == 1);
  caf::anon_send_exit(after, caf::exit_reason::kill);
  w.settle();
  CHECK(state(m).members() == 0);
}
