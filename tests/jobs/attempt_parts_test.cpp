#include "work_parts_fixture.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

work_report report_of(const std::string& node, std::uint64_t boot) {
  work_report r;
  r.node = node;
  r.boot = boot;
  return r;
}

} // namespace

TEST_CASE("a node that repeats its wish gets the same attempt; others wait") {
  work_fixture w;
  w.submit(group_json("a", 1));
  const task_id as{w.only_made().id, 0};
  const auto which = w.start(as);
  CHECK(which.attempt == 1);
  CHECK(w.start(as) == which);
  auto& grants = w.parts.grants;
  CHECK(grants.permit(report_of("n2", 1), as, first_look).verdict == start_verdict::wait);
  CHECK(grants.permit(report_of("n1", 2), as, first_look).verdict == start_verdict::wait);
  CHECK(grants.permit(report_of("n1", 1), {as.job + 1, 0}, first_look).verdict ==
        start_verdict::refuse);
  w.parts.leases.find({1, 0})->stop = true;
  CHECK(grants.permit(report_of("n1", 1), as, first_look).verdict == start_verdict::refuse);
}

TEST_CASE("a lost attempt is followed by another one") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 1));
  const auto which = w.start({w.only_made().id, 0});
  w.parts.ends.lose(which, end_reason::lease, "test", first_look);
  w.parts.ends.lose(which, end_reason::lease, "again", first_look); // booked already
  w.parts.placer.place_all();
  CHECK(j.groups[0].tasks[0].losses == 1);
  CHECK(j.row.counts.running == 0);
  CHECK(w.start({w.only_made().id, 0}).attempt == 2);
  const auto changes = w.parts.changes.take(w.parts.jobs);
  REQUIRE(changes.attempts.size() == 2);
  CHECK(changes.attempts[0].lost);
  CHECK(changes.attempts[0].end.detail == "test");
  CHECK(changes.attempts[1].open);
}

TEST_CASE("a report renews what runs there, and stops what does not belong there") {
  work_fixture w;
  w.submit(group_json("a", 2));
  const auto made = w.only_made();
  const auto here = w.start({made.id, 0}, "n1");
  const auto there = w.start({made.id, 1}, "n2");
  auto report = report_of("n1", 1);
  report.running = {here, there};
  const auto answer = w.parts.reports.hear(report, first_look);
  CHECK(answer.renewed == std::vector{here});
  REQUIRE(answer.stops.size() == 1);
  CHECK(answer.stops[0].which == there);
  CHECK(answer.stops[0].reason == end_reason::lease);
}

TEST_CASE("no node ends the attempt of another one") {
  work_fixture w;
  w.submit(group_json("a", 1));
  attempt_end end;
  end.which = w.start({w.only_made().id, 0}, "n1");
  end.exit_code = 0;
  auto report = report_of("n2", 1);
  report.ended = {end};
  CHECK(w.parts.reports.hear(report, first_look).seen == std::vector{end.which});
  CHECK(w.parts.leases.all().size() == 1);
  report.node = "n1";
  CHECK(w.parts.reports.hear(report, first_look).seen == std::vector{end.which});
  CHECK(w.parts.leases.all().empty());
}

TEST_CASE("what a new process of a node does not list is lost after some time") {
  work_fixture w;
  w.submit(group_json("a", 2));
  const auto made = w.only_made();
  const auto kept = w.start({made.id, 0});
  w.start({made.id, 1});
  auto report = report_of("n1", 2);
  report.running = {kept};
  auto at = first_look;
  const auto asked = w.parts.reports.hear(report, at);
  CHECK(w.parts.leases.all().size() == 2);
  REQUIRE(asked.stops.size() == 1); // a question: has it come there?
  CHECK(asked.stops[0].reason == end_reason::host_failed);
  at.steady += lease_book::settling;
  w.parts.reports.hear(report, at);
  CHECK(w.parts.leases.all().size() == 1);
  CHECK(w.parts.leases.find({1, 0})->boot == 2);
}
