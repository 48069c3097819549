#include "experiments/fake_launcher.hpp"
#include "experiments/processes/execute.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace troupe;
using namespace troupe::test;

namespace {

planned_run plan(const std::string& name, std::uint64_t seeds) {
  return {name, "some.toml", {"a=1"}, seeds, {}};
}

planned_run search(const std::string& name, std::int64_t from, std::int64_t to,
                   const std::string& goal) {
  auto p = plan(name, 3);
  p.find = search_plan{"cluster.machines", from, to, 1, goal};
  return p;
}

} // namespace

TEST_CASE("every run is started with each of its seeds, so many at a time") {
  fake_launcher by([](const run_request& r) { return reply_with(static_cast<double>(r.seed)); });
  silent_monitor monitor;
  const std::vector plans{plan("one", 3), plan("two[5,6]", 2)};
  const auto results = execute(plans, 2, by, monitor);
  REQUIRE(results.size() == 2);
  CHECK(by.started.size() == 5);
  CHECK(by.most_at_once == 2);
  CHECK(results[0].plan.name == "one");
  REQUIRE(results[0].seeds.size() == 3);
  for (std::size_t s = 0; s < 3; ++s) {
    CHECK(results[0].seeds[s].seed == s + 1);
    CHECK(results[0].seeds[s].summary["x"] == s + 1);
  }
  CHECK(results[1].seeds.size() == 2);
  CHECK(monitor.last.done == 5);
  CHECK(monitor.last.total == 5);
  CHECK(monitor.failures.empty());
  std::set<std::filesystem::path> folders;
  for (const auto& request : by.started)
    folders.insert(request.folder);
  CHECK(folders.size() == 5);
  CHECK(folders.contains("two[5,6]/seed-2"));
}

TEST_CASE("a search finds the least value that reaches its goal in the mean of the seeds") {
  // x is 1000 / machines, and more or less with the seed; its mean is at most 5 from 200 on.
  fake_launcher by([](const run_request& r) {
    return reply_with(1000 / number_set(r, "cluster.machines", 0) + static_cast<double>(r.seed) -
                      2);
  });
  silent_monitor monitor;
  const std::vector plans{search("s", 100, 1000, "{x} <= 5")};
  const auto results = execute(plans, 4, by, monitor);
  CHECK(results[0].found == 200);
  CHECK(results[0].failure.empty());
  REQUIRE(results[0].seeds.size() == 3);
  CHECK(results[0].seeds[1].summary["x"] == 5);
  CHECK(results[0].steps.front().value == 1000);
  CHECK(results[0].steps.size() <= 11);
  CHECK(by.started.size() == 3 * results[0].steps.size());
  CHECK(by.started.front().folder == "s/machines=1000/seed-1");
  CHECK(monitor.last.total == by.started.size());
}

TEST_CASE("a search whose goal is out of reach finds nothing and keeps what it saw") {
  fake_launcher by([](const run_request&) { return reply_with(9); });
  silent_monitor monitor;
  const std::vector plans{search("s", 1, 100, "{x} <= 5")};
  const auto results = execute(plans, 1, by, monitor);
  CHECK_FALSE(results[0].found);
  CHECK(results[0].steps.size() == 1);
  CHECK(results[0].seeds.size() == 3);
  CHECK(results[0].failure.empty());
}

TEST_CASE("a search whose goal names no value says so") {
  fake_launcher by([](const run_request&) { return reply_with(9); });
  silent_monitor monitor;
  const std::vector plans{search("s", 1, 100, "{y} <= 5")};
  const auto results = execute(plans, 1, by, monitor);
  CHECK_FALSE(results[0].found);
  CHECK(results[0].failure.find("there is no 'y'") != std::string::npos);
  CHECK(monitor.failures.size() == 1);
}

TEST_CASE("a run that fails is named, with its exit code and what it said last") {
  fake_launcher by([](const run_request& r) {
    return r.seed == 2 ? run_reply{134, "it broke", nullptr} : reply_with(1);
  });
  silent_monitor monitor;
  const std::vector plans{plan("one", 3)};
  const auto results = execute(plans, 1, by, monitor);
  REQUIRE(monitor.failures.size() == 1);
  CHECK(monitor.failures[0] == "one, seed 2: ended by signal 6: it broke");
  CHECK(results[0].problems == monitor.failures);
  CHECK(results[0].seeds[1].failure == "ended by signal 6: it broke");
  CHECK(results[0].seeds[1].summary.is_null());
  CHECK(results[0].seeds[2].failure.empty());
}

TEST_CASE("a failed self-check is a problem, but its run still has values") {
  fake_launcher by([](const run_request& r) { return reply_with(1, r.seed != 1); });
  silent_monitor monitor;
  const std::vector plans{plan("one", 2)};
  const auto results = execute(plans, 1, by, monitor);
  REQUIRE(results[0].problems.size() == 1);
  CHECK(results[0].problems[0] == "one, seed 1: self-check failed: balance: 1 = 1");
  CHECK(results[0].seeds[0].summary["x"] == 1);
  CHECK(results[0].seeds[0].failure.empty());
}

TEST_CASE("once a stop is requested, nothing more is started") {
  fake_launcher by([](const run_request&) { return run_reply{143, "", nullptr}; });
  by.stop_after = 3;
  silent_monitor monitor;
  const std::vector plans{plan("one", 10), search("s", 1, 100, "{x} > 0")};
  const auto results = execute(plans, 2, by, monitor);
  CHECK(by.started.size() == 3);
  CHECK(results.size() == 2);
  CHECK(results[1].seeds.empty());
  CHECK_FALSE(results[1].found);
}

TEST_CASE("after a run whose results cannot be written, no other is started") {
  fake_launcher by([](const run_request& r) {
    return r.label == "two, seed 2" ? run_reply{results_unwritable, "no room", nullptr}
                                    : reply_with(1);
  });
  silent_monitor monitor;
  const std::vector plans{plan("one", 2), plan("two", 3), plan("three", 2),
                          search("s", 100, 1000, "{x} <= 5")};
  const auto results = execute(plans, 1, by, monitor);
  CHECK(by.started.size() == 4);
  REQUIRE(monitor.failures.size() == 2);
  CHECK(monitor.failures[0] == "two, seed 2: exit code 3: no room");
  CHECK(monitor.failures[1] ==
        "results cannot be written: no other run is started, and 6 are left out");
  CHECK(results[0].problems.empty());
  REQUIRE(results[1].seeds.size() == 3);
  CHECK(results[1].seeds[0].failure.empty());
  CHECK(results[1].seeds[2].seed == 3);
  CHECK(results[1].seeds[2].failure == "no run, as results cannot be written");
  REQUIRE(results[2].seeds.size() == 2);
  CHECK(results[2].seeds[0].summary.is_null());
  CHECK(results[3].failure == "the search ended early, as results cannot be written");
  CHECK_FALSE(results[3].found);
}
