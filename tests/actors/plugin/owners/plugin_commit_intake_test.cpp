#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(member_fixture, "a commit goes to its owner by the numbers of the cluster") {
  resume(slot_job(1, 2), {{{1, 0}, 0}});
  const auto part = submitted().at(0).id;
  parts.orders.commit(1, request(1, {on(2, {part, 0})}), at_1s);
  parts.orders.commit(1, request(1, {on(2, {part, 0})}), at_1s); // it comes again
  const auto sent = parts.sender.take();
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].first == 1);
  CHECK(sent[0].second.placements.at(0).task == task_id{1, 1});
  CHECK(counts().in_commit == 1);
  CHECK_THROWS(parts.orders.commit(2, request(1, {}), at_1s));
}

TEST_CASE_FIXTURE(member_fixture,
                  "all of a commit is refused if a task is not the plugin's to place") {
  submit(slot_job(1, 2));
  run({1, 0}, 0);
  parts.orders.commit(0, request(200, {on(1, {1, 1}), on(1, {1, 0})}), at_1s);
  CHECK(parts.sender.take().empty());
  const auto told = heard<commit_reply>();
  REQUIRE(told.size() == 1);
  CHECK(told[0].id == 200);
  CHECK(told[0].rejections.size() == 2);
  CHECK(counts().queued == 1);
}

TEST_CASE_FIXTURE(member_fixture, "a commit settles what its owner holds, by the owner's number") {
  submit(slot_job(1, 1));
  parts.orders.commit(0, request(1, {on(0, {1, 0})}, commit_mode::hold), at_1s);
  const auto held = parts.sender.take().at(0).second.id;
  parts.answers.answer({0, held, {}}, at_1s);
  auto launch = request(2, {on(0, {1, 0})}, commit_mode::launch);
  launch.settles = 1;
  parts.orders.commit(0, launch, at_1s);
  CHECK(parts.sender.take().at(0).second.settles == held);
  CHECK(parts.commits.held(0).empty());
  CHECK(counts().in_commit == 1);
}

TEST_CASE("a plugin that learns from its own tasks hears later that nothing was sent") {
  for (const bool own_tasks : {false, true}) {
    member_fixture f{own_tasks};
    f.resume(spreading_job(1, 2), {{{1, 0}, 1}});
    const auto part = f.submitted().at(0).id;
    f.parts.orders.commit(0, f.request(1, {f.on(1, {part, 0})}), at_1s);
    CHECK(f.parts.sender.take().empty());
    CHECK(f.heard<commit_reply>().size() == (own_tasks ? 0 : 1));
    f.parts.answers.answer_empty(at_1s);
    CHECK(f.heard<commit_reply>().size() == (own_tasks ? 1 : 0));
    CHECK(f.counts().queued == 1);
  }
}
