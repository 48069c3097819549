#include "actors/master.hpp"
#include "actors/neighbours.hpp"

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

  cluster_status status(const master_actor& m) { return ask<cluster_status>(w, m, status_atom_v); }
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
  CHECK(status(m).rounds == 300);
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
  CHECK(status(m).rounds == 0);
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
  auto members = status(m).members;
  REQUIRE(members.size() == 3);
  CHECK(members[0].what == role::scheduler);
  CHECK(members[1].number == 1);
  CHECK(members[2].what == role::node);

  caf::anon_send(m, gone_atom_v, member{role::scheduler, 0});
  caf::anon_send(m, gone_atom_v, member{role::scheduler, 0});
  caf::anon_send(m, gone_atom_v, member{role::workload, 5});
  w.settle();
  CHECK(status(m).members.size() == 2);

  caf::anon_send_exit(second, caf::exit_reason::kill);
  w.settle();
  members = status(m).members;
  REQUIRE(members.size() == 1);
  CHECK(members[0].what == role::node);
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
  CHECK(status(m).members.size() == 1);
  caf::anon_send_exit(before, caf::exit_reason::kill);
  w.settle();
  CHECK(status(m).members.size() == 1);
  caf::anon_send_exit(after, caf::exit_reason::kill);
  w.settle();
  CHECK(status(m).members.empty());
}

TEST_CASE_FIXTURE(master_fixture, "the master tells who owns what") {
  const auto map = ask<partition_map>(w, make(sync_plan::none()), map_atom_v);
  CHECK(map.version == 1);
  CHECK(map.owner_of == std::vector<owner_id>{0, 1, 0});
}
