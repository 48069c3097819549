#include "model/live/live_board.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// Two groups with a scheduler each, two owners with a partition each.
struct live_book_fixture {
  live_state state = live_state_of(about());
  std::int64_t second = 0;

  static live_about about() {
    live_about a;
    a.name = "test";
    a.owners = 2;
    a.groups = {{"a", "quality-first", 1}, {"b", "adaptive", 1}};
    a.group_of = {0, 1};
    a.policies = {"quality-first", "adaptive"};
    a.owner_of = {0, 1};
    a.phases = {{0s, 2s}, {2s, 5s}};
    return a;
  }

  /// A sample in which everybody answers as incarnation 1.
  live_sample next() {
    live_sample s;
    s.from = second * 1s;
    s.to = ++second * 1s;
    s.groups.resize(2);
    for (std::uint32_t n = 0; n < 2; ++n) {
      scheduler_answer answer{n, 1, {}, {}};
      answer.sample.tasks.placed = 3;
      answer.sample.tasks.queued = 10 * (n + 1);
      answer.sample.conflicts_by_cause[0] = 1;
      answer.sample.busy = 250ms * (n + 1);
      answer.sample.delay.add(0.5);
      answer.sample.waiting.add(2.5);
      answer.details.ages_ms = {100, static_cast<std::uint16_t>(200 + 200 * n)};
      s.groups[n] = answer.sample;
      s.schedulers.push_back(answer);
      owner_answer owner{n, 1, {}, {}};
      owner.sample.machines = 5;
      owner.sample.accepted = 3;
      partition_details part;
      part.partition = n;
      part.capacity.amount[0] = 100;
      part.used.amount[0] = 40;
      part.granted = 3;
      part.refused[1] = 2;
      owner.partitions = {part};
      s.owners.push_back(owner);
    }
    return s;
  }

  std::vector<std::string> events() const {
    std::vector<std::string> all;
    for (const auto& e : state.events)
      all.push_back(std::to_string(e.at / 1s) + " " + e.what + " " + e.member);
    return all;
  }
};

using strings = std::vector<std::string>;

} // namespace

TEST_CASE_FIXTURE(live_book_fixture, "before the first sample, members wait") {
  REQUIRE(state.schedulers.size() == 2);
  CHECK(state.schedulers[1].life.state == member_state::waiting);
  CHECK(state.schedulers[1].policy == "adaptive");
  CHECK(*state.partitions[1].owner == 1);
  CHECK_FALSE(state.partitions[1].known);
  CHECK(state.events.empty());
}

TEST_CASE_FIXTURE(live_book_fixture, "a sample shows what each member has told") {
  add_sample(state, next());
  add_sample(state, next());
  const auto& s = state.schedulers[1];
  CHECK(s.life.state == member_state::up);
  CHECK(s.queued == 20);
  CHECK(s.busy == doctest::Approx(0.5));
  CHECK(s.oldest == 2.5);
  CHECK(s.placed == 3);
  CHECK(s.delay.p99 == doctest::Approx(0.5));
  CHECK(s.sums.placed == 6);
  CHECK(s.sums.conflicts[0] == 2);
  CHECK(s.sums.busy == doctest::Approx(1.0));
  CHECK(state.owners[0].granted == 3);
  CHECK(state.owners[0].granted_sum == 6);
  CHECK(state.owners[0].refused_sum[1] == 4);
  const auto& p = state.partitions[1];
  CHECK(p.use() == doctest::Approx(0.4));
  CHECK(p.granted_sum == 6);
  CHECK(p.refused_sum[1] == 4);
  CHECK(p.age_mean == doctest::Approx(0.3));
  CHECK(p.age_max == doctest::Approx(0.4));
  CHECK(state.machines_up() == 10);
  CHECK(state.groups[1].tasks.placed == 6);
  CHECK(state.groups[1].tasks.queued == 20); // of now
  CHECK(state.samples == 2);
  const auto& row = state.series.recent().back();
  CHECK(row.number == 2);
  CHECK(row.tasks.placed == 6);
  CHECK(row.tasks.queued == 30);
  CHECK(row.busy.min == doctest::Approx(0.25));
  CHECK(row.busy.mid == doctest::Approx(0.375));
  CHECK(row.groups[1].queued == 20);
  CHECK(row.schedulers[1].busy == doctest::Approx(0.5));
  CHECK(row.partitions[0].use == 40);
  CHECK(row.partitions[0].refused == 2);
}

TEST_CASE_FIXTURE(live_book_fixture, "phases are noted as they begin, each once") {
  for (int i = 0; i < 4; ++i)
    add_sample(state, next());
  CHECK(events() == strings{"0 phase ", "2 phase "});
}

TEST_CASE_FIXTURE(live_book_fixture, "a sample over no time adds counts, and leaves the rest") {
  add_sample(state, next());
  auto rest = next();
  rest.to = rest.from;
  rest.utilization = 0;
  rest.schedulers[0].sample.busy = duration{};
  const auto before = state;
  add_sample(state, rest);
  CHECK(state.groups[0].tasks.placed == 2 * before.groups[0].tasks.placed);
  CHECK(state.samples == before.samples);
  CHECK(state.now == before.now);
  CHECK(state.schedulers[0].busy == before.schedulers[0].busy);
  CHECK(state.partitions[0].last.granted == before.partitions[0].last.granted);
}

TEST_CASE_FIXTURE(live_book_fixture, "another incarnation is a takeover") {
  state.phases_begun = 2;
  add_sample(state, next());
  auto sample = next();
  sample.owners[1].incarnation = 2;
  add_sample(state, sample);
  CHECK(state.owners[1].life.takeovers == 1);
  CHECK(state.owners[0].life.takeovers == 0);
  CHECK(events() == strings{"2 takeover owner.1"});
}

TEST_CASE_FIXTURE(live_book_fixture, "a member that does not answer is silent until it does") {
  state.phases_begun = 2;
  add_sample(state, next());
  for (int i = 0; i < 3; ++i) {
    auto sample = next();
    sample.schedulers.erase(sample.schedulers.begin());
    sample.owners.erase(sample.owners.begin());
    add_sample(state, sample);
    CHECK(state.schedulers[0].life.state == member_state::silent);
    CHECK(state.schedulers[0].queued == 10);         // what it told last
    CHECK(state.partitions[0].last.refused[1] == 0); // nothing new
    CHECK(state.partitions[0].refused_sum[1] == 2);
  }
  CHECK(events() == strings{"3 silent scheduler.0", "3 silent owner.0"}); // one may be late
  add_sample(state, next());
  CHECK(state.schedulers[0].life.state == member_state::up);
  CHECK(events().size() == 4);
  CHECK(events().back() == "5 back owner.0");
}

TEST_CASE_FIXTURE(live_book_fixture, "a change of the policy shows once") {
  state.phases_begun = 2;
  for (int i = 0; i < 3; ++i) {
    auto sample = next();
    if (i > 0)
      sample.schedulers[1].details.policy = "latency-first";
    add_sample(state, sample);
  }
  CHECK(state.schedulers[1].policy == "latency-first");
  REQUIRE(events() == strings{"2 policy scheduler.1"});
  CHECK(state.events.front().detail == "adaptive to latency-first");
}

TEST_CASE("only the last events are kept, and all are counted") {
  live_state state;
  for (std::size_t i = 0; i < most_live_events + 5; ++i)
    state.note(1s, "kill", "owner.1", "");
  CHECK(state.events.size() == most_live_events);
  CHECK(state.events.front().number == 6);
  CHECK(state.events_so_far == most_live_events + 5);
}

TEST_CASE("members of greater numbers than the run has are left out") {
  live_state state = live_state_of({});
  live_sample sample;
  sample.schedulers.push_back({7, 1, {}, {}});
  sample.owners.push_back({7, 1, {}, {partition_details{9, {}, {}, 0, 0, 0, 0, {}}}});
  add_sample(state, sample);
  CHECK(state.schedulers.empty());
}

TEST_CASE("a board forgets the earlier run when another one begins") {
  live_board board;
  CHECK(board.watched());
  board.change([](live_state& s) { s.note(1s, "kill", "owner.1", ""); });
  live_about about;
  about.run = "2";
  board.begin(about);
  CHECK(board.read([](const live_state& s) {
    return s.about.run + " " + std::to_string(s.events.size());
  }) == "2 0");
}
