#include "runtime/wiring.hpp"
#include "settings/read.hpp"
#include "support/virtual_time.hpp"

#include <caf/all.hpp>
#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

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
  test::virtual_time<caf::id_block::troupe> w{settings.seed};
  const wiring_options options{{}, record, true};
  const auto c = wire(w.system(), settings, options);
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
