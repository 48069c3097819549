#include "runtime/cluster/assembly.hpp"
#include "runtime/run/self_checks.hpp"
#include "settings/toml/read.hpp"
#include "support/virtual_time.hpp"

#include <caf/all.hpp>
#include <doctest/doctest.h>

#include <algorithm>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

constexpr const char* small_cluster = R"(
schedulers = 2
[cluster]
machines = 8
partitions = 4
owners = 2
[sync]
gap = "500ms"
[workload]
phases = [{ length = "60s", rate = 2 }]
)";

/// Runs a small cluster for 1 s, kills what `victim` returns of it, and goes on for 4 s.
template <class Victim>
std::shared_ptr<run_record> run_without(const run_settings& settings, Victim victim) {
  const auto record = std::make_shared<run_record>();
  test::virtual_time w{settings.seed};
  const assembly_options options{{}, record, true};
  const auto c = assemble(w.system(), settings, options);
  start(w.system(), c, settings, options);
  w.run_until(1s);
  caf::anon_send_exit(victim(c), caf::exit_reason::kill);
  w.run_until(5s);
  return record;
}

bool passes(const run_record& record, const run_settings& settings, std::string_view name) {
  const auto checks = check_invariants(record, settings);
  const auto it =
    std::find_if(checks.begin(), checks.end(), [&](const auto& c) { return c.name == name; });
  REQUIRE(it != checks.end());
  return it->passed;
}

} // namespace

TEST_CASE("a run whose rounds have ended fails the check of staleness") {
  const auto settings = parse_settings(small_cluster, "test.toml");
  const auto record = run_without(settings, [](const cluster& c) { return c.master; });
  CHECK(record->error.empty());
  CHECK(passes(*record, settings, "tasks balance"));
  CHECK_FALSE(passes(*record, settings, "staleness within its bound"));
}

TEST_CASE("an actor that does not answer any more is named") {
  const auto settings = parse_settings(small_cluster, "test.toml");
  const auto record = run_without(settings, [](const cluster& c) { return c.owners[1]; });
  CHECK(record->error.find("owner 1 does not answer any more") == 0);
}

TEST_CASE("tasks whose machines die are placed again, and every one of them ends") {
  const auto settings = parse_settings(R"(
schedulers = 4
[cluster]
machines = 40
slots = 2
partitions = 6
owners = 3
[sync]
gap = "500ms"
[network]
latency = "1ms"
loss = 0.02
[workload]
phases = [{ length = "4s", rate = 20 }]
[workload.duration]
value = 1.5
)",
                                       "test.toml");
  const auto record = std::make_shared<run_record>();
  test::virtual_time w{settings.seed};
  const assembly_options options{{}, record, true};
  const auto c = assemble(w.system(), settings, options);
  start(w.system(), c, settings, options);
  for (std::size_t victim = 0; victim < 30; ++victim) {
    w.run_until((victim + 1) * 100ms);
    caf::anon_send_exit((*c.machine_actors)[victim], caf::exit_reason::kill);
  }
  w.run_until(60s);
  const auto& tasks = record->totals.tasks;
  CHECK(record->finished);
  CHECK(tasks.submitted == 80);
  CHECK(tasks.finished == 80);
  CHECK(tasks.running == 0);
  CHECK(tasks.balanced());
  CHECK(tasks.placed > 80); // some of them twice
  CHECK(record->owners.machines == 10);
  CHECK(record->owners.over_capacity == 0);
  CHECK(record->nodes.over_capacity == 0);
  for (const auto& interval : record->series)
    CHECK(interval.sample.duplicate_grants == 0);
}
