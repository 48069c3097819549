#include "actors/owner/scheduler_reports.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

task_end end_of(std::uint32_t index, task_outcome outcome = task_outcome::finished) {
  return {{1, index}, 0, outcome, 1s};
}

} // namespace

TEST_CASE("each scheduler is told of its own tasks") {
  scheduler_reports reports{3, 3, false};
  reports.ended(0, end_of(0));
  reports.preempted(2, {{1, 1}, 0, 1s, 1s});
  reports.ended(9, end_of(2)); // unknown
  reports.changed({5, false});
  CHECK(reports.has_news());
  const auto sent = reports.reports(1s);
  CHECK_FALSE(reports.has_news());
  REQUIRE(sent.size() == 2);
  CHECK(sent[0].first == 0);
  CHECK(sent[0].second.owner == 3);
  CHECK(sent[0].second.ends.at(0).task == task_id{1, 0});
  CHECK(sent[0].second.changes.empty());
  CHECK(sent[1].first == 2);
  CHECK(sent[1].second.number == 1);
  CHECK(sent[1].second.preempted.size() == 1);
  reports.seen(0, 1, 2s);
  CHECK(reports.has_unseen());
  const auto again = reports.overdue(3s, 2s);
  REQUIRE(again.size() == 1);
  CHECK(again[0].first == 2);
}

TEST_CASE("schedulers that need it are all told of machines") {
  scheduler_reports reports{0, 2, true};
  reports.changed({5, false});
  const auto sent = reports.reports(1s);
  REQUIRE(sent.size() == 2);
  CHECK(sent[1].second.changes.at(0).machine == 5);
}

TEST_CASE("the ends that schedulers have seen are collected on demand") {
  scheduler_reports reports{0, 1, false};
  const auto report = [&](std::uint32_t index) {
    reports.ended(0, end_of(index));
    reports.reports(1s);
  };
  report(0);
  reports.seen(0, 1, 1s);
  CHECK(reports.take_seen_ends().empty());
  reports.collect_seen_ends();
  report(1);
  report(2);
  reports.seen(0, 2, 1s);
  const auto seen = reports.take_seen_ends();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].task == task_id{1, 1});
  CHECK(reports.take_seen_ends().empty());
}

TEST_CASE("a session begins with the ends that its scheduler may not know") {
  scheduler_reports reports{0, 2, true};
  reports.ended(0, end_of(0));
  reports.reports(1s);
  reports.ended(0, end_of(1, task_outcome::failed));
  reports.ended(0, end_of(2, task_outcome::lost)); // it suffices that it does not run
  reports.ended(1, end_of(3));
  const auto ends = reports.restart(0, session_base(1, 2) + 1);
  REQUIRE(ends.size() == 2);
  CHECK(ends[0].task == task_id{1, 0});
  CHECK(ends[1].task == task_id{1, 1});
  CHECK(reports.has_news()); // for scheduler 1
  reports.ended(0, end_of(4));
  const auto sent = reports.reports(2s);
  REQUIRE(sent.size() == 2);
  CHECK(sent[0].second.number == session_base(1, 2) + 2);
  CHECK(sent[0].second.ends.size() == 1);
  CHECK_FALSE(reports.has_news());
}
