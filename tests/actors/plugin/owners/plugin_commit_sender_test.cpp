#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(member_fixture, "a plugin's commit says which ones before it are answered") {
  submit(slot_job(1, 3));
  for (std::uint32_t i = 0; i < 3; ++i)
    parts.orders.commit(0, request(i + 1, {on(0, {1, i})}), at_1s);
  auto sent = parts.sender.take();
  REQUIRE(sent.size() == 3);
  const auto first = sent[0].second.id;
  CHECK(sent[2].second.answered_below == first);
  parts.answers.answer({0, first, {}}, at_1s);
  parts.sender.repeat(at_1s + 1s);
  sent = parts.sender.take();
  REQUIRE(sent.size() == 2);
  CHECK(sent[0].second.answered_below == first + 1);
  parts.sender.repeat(at_1s + 1500ms); // they were sent half a second ago
  CHECK(parts.sender.take().empty());
}

TEST_CASE_FIXTURE(member_fixture, "what is held is asked for from time to time") {
  submit(slot_job(1, 1));
  parts.orders.commit(1, request(1, {on(2, {1, 0})}, commit_mode::hold), at_1s);
  parts.answers.answer({1, parts.commits.number_of(1, 1), {}}, at_1s);
  parts.sender.take();
  parts.sender.repeat(at_1s + 1s);
  const auto sent = parts.sender.take();
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].first == 1);
  CHECK(sent[0].second.mode == commit_mode::hold);
}

TEST_CASE_FIXTURE(member_fixture, "a commit that is sent anew has a number of its own") {
  submit(slot_job(1, 1));
  parts.orders.commit(0, request(1, {on(0, {1, 0})}), at_1s);
  const auto before = parts.sender.take().at(0).second.id;
  parts.sender.send_anew(0, *parts.commits.take(0, before), at_1s);
  const auto sent = parts.sender.take();
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].second.id == before + 1);
  CHECK(parts.commits.pending(0).size() == 1);
}
