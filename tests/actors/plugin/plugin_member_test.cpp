#include "actors/neighbours.hpp"
#include "actors/plugin/plugin_member.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

namespace {

struct plugin_inbox {
  std::vector<peers> others;
  inbox<submission> submissions;
  inbox<commit_reply> replies;
  inbox<task_report> reports;
  std::uint64_t samples = 0;
  task_counts counts; ///< what it says that it has
};

owner_client_actor::behavior_type fake_plugin(owner_client_actor::pointer self, plugin_inbox* got) {
  return {[got](const peers& all) { got->others.push_back(all); },
          keep(got->submissions, self),
          [got](sample_atom) {
            ++got->samples;
            scheduler_status status{0, false, {}};
            status.samples.emplace_back();
            status.samples.back().sample.tasks = got->counts;
            return status;
          },
          keep(got->replies, self),
          [](const sync_update&) {},
          keep(got->reports, self)};
}

/// A plugin's scheduler with one owner, in its first incarnation.
struct plugin_stage {
  plugin_inbox plugin;
  owner_inbox owner;
  std::vector<std::string> faults;
  bool retired = false;
  std::shared_ptr<const catalog> machines = slot_machines(2, 1, 2);
  std::shared_ptr<scheduler_check> check;
  world w;
  owner_actor front_owner;
  owner_client_actor of_plugin;
  plugin_member_actor member;

  plugin_stage() {
    check =
      std::make_shared<scheduler_check>(0, machines, std::vector<owner_id>{0}, "plugin 'x'",
                                        [this](const std::string& why) { faults.push_back(why); });
    front_owner = w.system().spawn(fake_owner, &owner);
    of_plugin = w.system().spawn(fake_plugin, &plugin);
    plugin_member_config config;
    config.rules.stores = {0};
    config.rules.commit_timeout = 1s;
    config.machines = machines;
    config.owner_of = {0};
    config.failover.as = {role::scheduler, 0, 1};
    config.failover.heartbeat = 500ms;
    config.failover.reach = [this](role what, std::uint32_t, incarnation_id) {
      return what == role::owner ? caf::actor_cast<caf::strong_actor_ptr>(front_owner)
                                 : caf::strong_actor_ptr{};
    };
    config.failover.retire = [this] { retired = true; };
    config.plugin = of_plugin;
    config.check = check;
    config.clock = {w.clock().now()};
    member = w.system().spawn(plugin_member, std::move(config));
    w.settle();
  }

  ~plugin_stage() { caf::anon_send_exit(member, caf::exit_reason::kill); }

  template <class... Content>
  void tell(Content... content) {
    caf::anon_send(member, std::move(content)...);
    w.settle();
  }

  void begin(std::uint32_t tasks) {
    tell(owner_statement{0, session_base(1, 1)});
    tell(job_delivery{0, 1, 1, false, {{slot_job(1, tasks), {}}}});
  }

  void commit(commit_id id, std::uint32_t task, machine_id on = 0) {
    commit_request request;
    request.id = id;
    placement p;
    p.task = {1, task};
    p.machine = on;
    p.demand = resources::of_slots(1);
    request.placements.push_back(p);
    caf::anon_send(caf::actor_cast<owner_actor>(plugin.others.at(0).owners.at(0)), request);
    w.settle();
  }

  bool has_ended(const caf::strong_actor_ptr& who) const {
    return who->get()->getf(caf::abstract_actor::is_cleaned_up_flag);
  }
};

} // namespace

TEST_CASE_FIXTURE(plugin_stage, "a plugin is told of jobs, commits, and hears of its tasks") {
  begin(2);
  REQUIRE(plugin.submissions.size() == 1);
  REQUIRE(owner.seen.size() == 1);
  CHECK(owner.seen[0].second.number == session_base(1, 1) + 1);
  commit(1, 0);
  REQUIRE(owner.commits.size() == 1);
  CHECK(owner.commits[0].second.reports_seen == session_base(1, 1) + 1);
  w.advance(1s);
  CHECK(owner.commits.size() == 2); // nobody has answered
  tell(commit_reply{0, owner.commits[0].second.id, {}});
  w.advance(3s);
  CHECK(owner.commits.size() == 2);
  REQUIRE(plugin.replies.size() == 1);
  CHECK(plugin.replies[0].second.id == 1);
  tell(task_report{0, session_base(1, 1) + 2, {{{1, 0}, 0, task_outcome::finished, 2s}}});
  REQUIRE(plugin.reports.size() == 1);
  CHECK(plugin.reports[0].second.ends.size() == 1);
  CHECK(owner.seen.back().second.number == session_base(1, 1) + 1); // no store knows of it
  tell(store_seen{0, 1, 1});
  CHECK(owner.seen.back().second.number == session_base(1, 1) + 2);
  CHECK(faults.empty());
}

TEST_CASE_FIXTURE(plugin_stage, "a fault of a plugin goes no further") {
  begin(1);
  commit(1, 0, 7);
  CHECK(owner.commits.empty());
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].starts_with("plugin 'x': scheduler 0 commits task 1.0 on machine 7"));
}

TEST_CASE_FIXTURE(plugin_stage,
                  "a plugin's actor ends with its member, which quits when replaced") {
  const auto actor = caf::actor_cast<caf::strong_actor_ptr>(of_plugin);
  tell(membership{1, 2, {{role::scheduler, 0, 2}}});
  CHECK(retired);
  CHECK(has_ended(caf::actor_cast<caf::strong_actor_ptr>(member)));
  CHECK(has_ended(actor));
  CHECK(faults.empty());
}

TEST_CASE_FIXTURE(plugin_stage, "a plugin's actor that ends by itself is a fault") {
  caf::anon_send_exit(of_plugin, caf::exit_reason::unhandled_exception);
  w.settle();
  CHECK(faults.size() == 1);
  CHECK(has_ended(caf::actor_cast<caf::strong_actor_ptr>(member)));
}

TEST_CASE_FIXTURE(plugin_stage, "what a plugin counts as abandoned is over") {
  begin(2);
  plugin.counts.queued = 2;
  w.advance(2s);
  CHECK(plugin.samples > 0);
  auto status = ask<scheduler_status>(w, member, sample_atom_v);
  CHECK(status.places.queued == 2);
  plugin.counts = {};
  status = ask<scheduler_status>(w, member, sample_atom_v);
  CHECK(status.places.queued == 2); // it cannot say what has become of them
  plugin.counts.abandoned = 2;
  status = ask<scheduler_status>(w, member, sample_atom_v);
  CHECK(status.idle);
  CHECK(status.samples.at(0).sample.tasks.abandoned == 2);
}
