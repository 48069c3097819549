#include "golden/readable.hpp"
#include "runtime/wiring.hpp"
#include "settings/read.hpp"
#include "support/virtual_time.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

// Golden logs: every message that the actors of a tiny cluster handle, as a person can follow it.
// TROUPE_UPDATE_GOLDEN=1 in the environment writes the files anew; read the difference before
// you keep it.

using namespace troupe;

namespace {

constexpr auto tiny = R"(
schedulers = 2
interval = "1h"
[cluster]
machines = 4
slots = 1
partitions = 2
owners = 2
[sync]
gap = "1s"
[network]
latency = "1ms"
[scheduler]
policy = "quality-first"
t_task = "2ms"
batch = 2
[workload]
kind = "burst"
[workload.tasks_per_job]
value = 2
[workload.duration]
value = 1.25
)";

/// What the actors of a cluster are called, by their ids.
std::map<caf::actor_id, std::string> names_of(const cluster& c) {
  std::map<caf::actor_id, std::string> names{{c.node.id(), "node"}, {c.master.id(), "master"}};
  const auto add = [&](const char* role, const auto& actors) {
    for (std::size_t i = 0; i < actors.size(); ++i)
      names[actors[i].id()] = role + std::to_string(i);
  };
  add("owner ", c.owners);
  add("scheduler ", c.schedulers);
  add("workload ", c.workloads);
  add("machine ", *c.machine_actors);
  return names;
}

std::string log_of(const run_settings& settings, instant until) {
  test::virtual_time<caf::id_block::troupe> w{settings.seed};
  const wiring_options options{{}, std::make_shared<run_record>(), true};
  const auto c = wire(w.system(), settings, options);
  auto names = names_of(c);
  std::ostringstream log;
  w.coordinator().trace([&](const trace_entry& e) {
    const auto name = names.find(e.id);
    const auto text = test::readable(e.message);
    if (name != names.end() && !text.empty())
      log << test::padded(to_string(e.at), 8) << test::padded(name->second, 13) << text << '\n';
  });
  start(w.system(), c, settings, options);
  w.run_until(until);
  w.coordinator().trace({});
  return log.str();
}

void check_golden(const std::string& name, const std::string& log) {
  const auto path = std::string{TROUPE_SOURCE_DIR} + "/tests/golden/" + name;
  if (std::getenv("TROUPE_UPDATE_GOLDEN") != nullptr)
    std::ofstream{path, std::ios::binary} << log;
  std::ifstream file{path, std::ios::binary};
  const std::string golden{std::istreambuf_iterator<char>{file}, {}};
  CHECK(log == golden);
}

} // namespace

TEST_CASE("the log of a ParSync cluster is the golden one") {
  check_golden("parsync.log", log_of(parse_settings(tiny, "tiny.toml"), std::chrono::seconds{3}));
}
