#include "runtime/running.hpp"

#include <algorithm>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

// Failures of a member that begin before an earlier one is over.
namespace {

constexpr auto lone = R"(
duration = "60s"
schedulers = 1
cluster = { machines = 1, slots = 20, partitions = 1, owners = 1 }
workload = { duration = { value = 0.2 }, phases = [{ length = "60s", rate = 10 }] }
)";

struct failing {
  const char* kind;
  const char* target;
  const char* time;
  const char* length;
};

run_results run_with(std::initializer_list<failing> faults,
                     const std::vector<std::string>& more = {}) {
  std::string text = lone;
  for (const auto& f : faults)
    text += std::string{"[[faults.at]]\nkind = \""} + f.kind + "\"\ntarget = \"" + f.target +
            "\"\ntime = \"" + f.time + "\"\nduration = \"" + f.length + "\"\n";
  const auto results = run_text(text, more);
  check_passed(results);
  return results;
}

std::uint64_t finished_within(const run_results& results, instant from, instant to) {
  std::uint64_t sum = 0;
  for (const auto& interval : results.series)
    if (interval.from >= from && interval.to <= to)
      sum += interval.sample.tasks.finished;
  return sum;
}

/// The takeovers, by time.
std::vector<instant> takeovers_of(const run_results& results, const std::string& member) {
  std::vector<instant> all;
  for (const auto& e : results.events)
    if (e.event == run_event_kind::takeover && e.member == member)
      all.push_back(e.at);
  return all;
}

} // namespace

TEST_CASE("a machine with overlapping failures of a kind is back at the end of the last one") {
  for (const std::string architecture : {"parsync", "sparrow"})
    for (const auto* kind : {"kill", "freeze", "drain"}) {
      CAPTURE(architecture);
      CAPTURE(kind);
      for (const auto& results :
           {run_with({{kind, "machine.0", "10s", "30s"}, {kind, "machine.0", "15s", "5s"}},
                     {"architecture=" + architecture}),
            run_with({{kind, "machine.0", "10s", "10s"}, {kind, "machine.0", "15s", "25s"}},
                     {"architecture=" + architecture})}) {
        CHECK(finished_within(results, 0s, 10s) > 80);
        CHECK(finished_within(results, 12s, 40s) == 0);
        CHECK(finished_within(results, 40s, 60s) > 80);
      }
    }
}

TEST_CASE("failures that follow each other, or that hit a restarted member, end on their own") {
  const auto results = run_with({{"kill", "machine.0", "10s", "10s"},
                                 {"kill", "machine.0", "20s", "5s"},
                                 {"kill", "machine.0", "40s", "5s"}});
  CHECK(finished_within(results, 12s, 25s) == 0);
  CHECK(finished_within(results, 25s, 40s) > 80);
  CHECK(finished_within(results, 42s, 45s) == 0);
  CHECK(finished_within(results, 45s, 60s) > 80);
}

TEST_CASE("a machine that is killed while it is frozen or drained is restarted without that") {
  for (const auto* kind : {"freeze", "drain"}) {
    CAPTURE(kind);
    const auto results =
      run_with({{kind, "machine.0", "10s", "45s"}, {"kill", "machine.0", "15s", "5s"}});
    CHECK(finished_within(results, 12s, 20s) == 0);
    CHECK(finished_within(results, 20s, 54s) > 200);
  }
  // And one that is dead cannot be frozen.
  const auto results =
    run_with({{"kill", "machine.0", "10s", "10s"}, {"freeze", "machine.0", "15s", "40s"}});
  CHECK(finished_within(results, 20s, 54s) > 200);
}

TEST_CASE("an owner or a scheduler with overlapping kills returns once, after the last one") {
  for (const std::string member : {"owner.0", "scheduler.0"}) {
    CAPTURE(member);
    const auto* name = member.c_str();
    const auto at =
      takeovers_of(run_with({{"kill", name, "10s", "30s"}, {"kill", name, "15s", "5s"}}), member);
    REQUIRE(at.size() == 1);
    CHECK(at[0] >= 40s);
    CHECK(at[0] < 45s);
    // One that died for good does not return.
    CHECK(takeovers_of(run_with({{"kill", name, "10s", "0s"}, {"kill", name, "15s", "5s"}}), member)
            .empty());
  }
}

TEST_CASE("each kill that has hit an incarnation of its own starts a standby at its end") {
  const auto at =
    takeovers_of(run_with({{"kill", "owner.0", "10s", "30s"}, {"kill", "owner.0", "20s", "5s"}},
                          {"failures.standby_owners=1"}),
                 "owner.0");
  // The standby that waits takes over, then the one that is killed at 20 s.
  REQUIRE(at.size() == 2);
  CHECK(at[0] < 15s);
  CHECK(at[1] >= 25s);
  CHECK(at[1] < 30s);
}

TEST_CASE("the end of a freeze thaws only what it has frozen") {
  // The first incarnation is frozen and replaced; the second one is frozen for less.
  const auto results =
    run_with({{"freeze", "owner.0", "10s", "40s"}, {"freeze", "owner.0", "20s", "1s"}},
             {"failures.standby_owners=1"});
  CHECK(takeovers_of(results, "owner.0").size() == 1);
  CHECK(finished_within(results, 22s, 60s) > 300);
}
