#include "model/live/live_book.hpp"
#include "model/live/live_report.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// A run with a scheduler, and a copy of its state that follows it by reports.
struct live_copy_fixture {
  live_state state = live_state_of(about("1"));
  live_state copy;
  std::int64_t second = 0;

  static live_about about(const char* run) {
    live_about a;
    a.run = run;
    a.groups = {{"a", "adaptive", 1}};
    a.group_of = {0};
    a.policies = {"adaptive"};
    return a;
  }

  void sample() {
    live_sample s;
    s.from = second * 1s;
    s.to = ++second * 1s;
    s.groups.resize(1);
    s.groups[0].tasks.submitted = 2;
    s.groups[0].delay.add(static_cast<double>(second));
    s.schedulers.push_back({0, 1, s.groups[0], {}});
    add_sample(state, s);
  }

  std::size_t follow() {
    const auto& has = copy.series.recent();
    auto report = report_of(state, {copy.about.run, has.empty() ? 0 : has.back().number});
    const auto rows = report.rows.size();
    apply(copy, std::move(report));
    return rows;
  }
};

} // namespace

TEST_CASE_FIXTURE(live_copy_fixture, "a copy gets each row once and is equal then") {
  for (int i = 0; i < 3; ++i)
    sample();
  CHECK(follow() == 3);
  CHECK(follow() == 0);
  sample();
  state.note(4s, "kill", "owner.1", "");
  CHECK(follow() == 1);
  CHECK(copy.samples == 4);
  CHECK(copy.events.size() == state.events.size());
  CHECK(copy.groups[0].tasks.submitted == 8);
  REQUIRE(copy.series.whole().size() == 4);
  CHECK(copy.series.whole()[3].delay.p50 == 4);
  CHECK(copy.series.whole()[3].delays.count() == 1);
}

TEST_CASE_FIXTURE(live_copy_fixture, "a report that comes twice adds its rows once") {
  sample();
  sample();
  const auto report = report_of(state, {});
  apply(copy, report);
  apply(copy, report);
  CHECK(copy.series.recent().size() == 2);
}

TEST_CASE_FIXTURE(live_copy_fixture, "many rows come in several reports, in order") {
  for (int i = 0; i < 250; ++i)
    sample();
  CHECK(follow() == 100);
  CHECK(copy.series.recent().back().number == 100);
  CHECK(follow() == 100);
  CHECK(follow() == 50);
  CHECK(copy.series.recent().size() == 250);
}

TEST_CASE_FIXTURE(live_copy_fixture, "another run takes the place of the earlier one") {
  sample();
  follow();
  copy.nodes.push_back({"node-1", {}, live_node_state::joined, 0, 0, 0, 0, 0, 0});
  state = live_state_of(about("2"));
  second = 0;
  sample();
  CHECK(follow() == 1);
  CHECK(copy.about.run == "2");
  CHECK(copy.series.recent().size() == 1);
  CHECK(copy.nodes.size() == 1); // they are not of the run
}

TEST_CASE("what another process tells is mended where it is impossible") {
  live_report report;
  report.schedulers.resize(1);
  report.schedulers[0].life.state = static_cast<member_state>(77);
  report.groups.resize(9);
  live_state state;
  apply(state, std::move(report));
  CHECK(state.schedulers[0].life.state == member_state::silent);
  CHECK(state.groups.empty());
}
