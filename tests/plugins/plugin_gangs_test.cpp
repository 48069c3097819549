#include "plugin_member_stage.hpp"
#include "plugins/chaos_seeds.hpp"
#include "plugins/libraries.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;
using stage = test::plugin_member_stage;

namespace {

run_settings small_chaos(const std::string& name, std::vector<std::string> set) {
  set.insert(set.begin(), "scheduler.actor=faulty");
  return read_settings(std::string{TROUPE_SOURCE_DIR} + "/configs/chaos/" + name + ".toml",
                       with_faulty(std::move(set)));
}

/// A stage on which both owners hold a task each, by commits 1 and 2 of the plugin.
struct stage_with_a_gang_held : stage {
  stage_with_a_gang_held() {
    begin({{job_of(2)}});
    commit(0, 1, {on(0, {1, 0})}, commit_mode::hold);
    commit(1, 2, {on(2, {1, 1})}, commit_mode::hold);
    core.take_commits();
    grant(0, 1);
    grant(1, 2);
  }
};

void settle(stage& s, owner_id owner, commit_id id, commit_mode mode, commit_id held,
            const placement& p) {
  commit_request r;
  r.scheduler = own_id;
  r.id = id;
  r.mode = mode;
  r.settles = held;
  r.placements = {p};
  s.core.commit(owner, std::move(r), at_1s);
  s.listen();
}

} // namespace

TEST_CASE("what a plugin has owners hold is in commit until it is launched") {
  stage_with_a_gang_held s;
  CHECK(s.heard<commit_reply>().size() == 1);
  CHECK(s.core.places().in_commit == 2);
  CHECK(s.core.counts().in_commit == 2);
  settle(s, 0, 3, commit_mode::launch, 1, on(0, {1, 0}));
  const auto sent = s.core.take_commits();
  REQUIRE(sent.size() == 1);
  CHECK(sent.front().second.mode == commit_mode::launch);
  CHECK(sent.front().second.settles == (commit_id{1} << 40) + 1);
  s.grant(0, 3);
  CHECK(s.core.counts().running == 1);
  CHECK(s.core.places().in_commit == 1);
}

TEST_CASE("what a plugin releases is queued with it again") {
  stage_with_a_gang_held s;
  settle(s, 1, 3, commit_mode::release, 2, on(2, {1, 1}));
  const auto sent = s.core.take_commits();
  REQUIRE(sent.size() == 1);
  commit_reply reply{1, sent.front().second.id, {}};
  reply.rejections.push_back({0, conflict_cause::aborted, no_scheduler, 0, {}});
  s.core.answer(reply, at_1s);
  CHECK(s.core.counts().queued == 1);
  CHECK(s.core.places().in_commit == 1);
}

TEST_CASE("owners hear again and again that what they hold is still wanted") {
  stage s;
  s.begin({{job_of(1)}});
  commit_request r;
  r.scheduler = own_id;
  r.id = 1;
  r.mode = commit_mode::hold;
  r.placements = {on(0, {1, 0})};
  r.alternatives = {{0, 1, 0}};
  s.core.commit(0, r, at_1s);
  s.core.take_commits();
  s.core.answer({0, (commit_id{1} << 40) + 1, {}, {{0, 1}}}, at_1s);
  s.core.repeat(at_1s + 2s);
  const auto sent = s.core.take_commits();
  REQUIRE(sent.size() == 1);
  CHECK(sent.front().second.mode == commit_mode::hold);
  CHECK(sent.front().second.placements.front().machine == 1);
  CHECK(sent.front().second.alternatives.empty()); // a new owner would hold another machine
}

TEST_CASE("a new owner is asked anew for what the former one was to hold or to launch") {
  stage s;
  s.begin({{job_of(1)}});
  s.commit(0, 1, {on(0, {1, 0})}, commit_mode::hold);
  s.core.take_commits();
  s.state(0, 2, 1, {});
  auto sent = s.core.take_commits();
  REQUIRE(sent.size() == 1);
  CHECK(sent.front().second.mode == commit_mode::hold);
  CHECK(sent.front().second.id == (commit_id{1} << 40) + 2);
  s.grant(0, 1); // by the former owner
  CHECK(s.heard<commit_reply>().empty());
  s.grant(0, 2);
  REQUIRE(s.heard<commit_reply>().size() == 1);
  CHECK(s.heard<commit_reply>().front().id == 1);
  settle(s, 0, 2, commit_mode::launch, 1, on(0, {1, 0}));
  s.core.take_commits();
  s.state(0, 3, 1, {});
  sent = s.core.take_commits();
  REQUIRE(sent.size() == 1);
  CHECK(sent.front().second.mode == commit_mode::launch);
  s.core.answer({0, sent.front().second.id, {}}, at_1s);
  CHECK(s.core.counts().running == 1);
}

TEST_CASE("a task is not placed beside one of its job that spreads and ran before a takeover") {
  stage s{incarnation};
  auto spreads = job_of(3);
  spreads.spread = true;
  s.deliver({{spreads}}, incarnation, true);
  for (owner_id o = 0; o < 2; ++o)
    s.state(o, 1, incarnation,
            o == 0 ? std::vector<task_place>{{{1, 0}, 1}} : std::vector<task_place>{});
  const auto jobs = s.submitted();
  REQUIRE(jobs.size() == 1);
  const auto id = jobs.front().id;
  s.commit(0, 1, {on(1, {id, 0}), on(0, {id, 1})});
  const auto sent = s.core.take_commits();
  REQUIRE(sent.size() == 1);
  REQUIRE(sent.front().second.placements.size() == 1);
  CHECK(sent.front().second.placements.front().machine == 0);
  s.grant(0, 1, incarnation);
  REQUIRE(s.heard<commit_reply>().size() == 1);
  const auto told = s.heard<commit_reply>().front();
  REQUIRE(told.rejections.size() == 1);
  CHECK(told.rejections.front().index == 0);
  CHECK(s.core.counts().running == 2);
  CHECK(s.core.counts().queued == 1);
}

TEST_CASE("nothing is held of a commit that would place a task beside one that spreads") {
  stage s{incarnation};
  auto spreads = job_of(3);
  spreads.spread = true;
  s.deliver({{spreads}}, incarnation, true);
  for (owner_id o = 0; o < 2; ++o)
    s.state(o, 1, incarnation,
            o == 0 ? std::vector<task_place>{{{1, 0}, 1}} : std::vector<task_place>{});
  const auto id = s.submitted().at(0).id;
  s.commit(0, 1, {on(0, {id, 1}), on(1, {id, 0})}, commit_mode::hold);
  REQUIRE(s.heard<commit_reply>().size() == 1);
  CHECK(s.heard<commit_reply>().front().rejections.size() == 2);
  CHECK(s.core.counts().queued == 2);
  s.core.repeat(at_1s + 5s);
  CHECK(s.core.take_commits().empty());
}

TEST_CASE("every invariant holds where a plugin places gangs on the machines of several owners") {
  check_seeds(small_chaos("parsync", {"workload.gang=true"}), 250);
  check_seeds(small_chaos("parsync", {"scheduler.commit=all-or-nothing", "scheduler.candidates=3",
                                      "chaos.faults=20"}),
              100);
}

TEST_CASE("every invariant holds where jobs of a plugin spread, and schedulers are replaced") {
  for (const std::string name : {"parsync", "statesync", "static"}) {
    CAPTURE(name);
    check_seeds(
      small_chaos(name, {"workload.spread=true", R"(chaos.kinds=["scheduler","machine","owner"])"}),
      400);
  }
}
