#include "golden/readable.hpp"
#include "runtime/cluster/assembly.hpp"
#include "settings/toml/read.hpp"
#include "support/virtual_time.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

// Golden logs: every message that the actors of a tiny cluster handle (the recorder's aside), as a
// person can follow it: when, who, what. Both schedulers are given two tasks at once and decide on
// the same view of four slots, so that one of them is refused and tries again.
//
// TROUPE_UPDATE_GOLDEN=1 in the environment writes the files anew; read the difference before you
// keep it.

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

constexpr auto tiny_mixture = R"(
architecture = "hybrid"
pool = 2
interval = "1h"
[cluster]
machines = 4
slots = 1
partitions = 2
owners = 1
[sync]
gap = "1s"
[network]
latency = "1ms"
[scheduler]
policy = "quality-first"
t_task = "2ms"
batch = 2
[sparrow]
ratio = 1.14
[hybrid]
cutoff = "1s"
reserved = 0.5
steal_attempts = 2
[[groups]]
name = "long"
schedulers = 1
[groups.workload]
kind = "burst"
tasks_per_job.value = 1
duration.value = 1.5
[[groups]]
name = "short"
schedulers = 1
[groups.workload]
kind = "burst"
tasks_per_job.value = 7
duration.value = 0.3
)";

/// Just after the gap in which the tasks have ended.
constexpr auto end = std::chrono::milliseconds{2010};

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
  for (const auto& a : c.allocators)
    names[a.id()] = "allocator";
  return names;
}

std::string log_of(const run_settings& settings, instant until) {
  test::virtual_time w{settings.seed};
  const assembly_options options{{}, std::make_shared<run_record>(), true};
  const auto c = assemble(w.system(), settings, options);
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

/// Returns the first line that differs, or nothing.
std::string difference(const std::string& log, const std::string& golden) {
  std::istringstream is{log};
  std::istringstream was{golden};
  for (int number = 1;; ++number) {
    std::string line;
    std::string expected;
    const bool more = !std::getline(is, line).fail();
    const bool expects = !std::getline(was, expected).fail();
    if (!more && !expects)
      return log == golden ? "" : "the end of the last line";
    if (more != expects || line != expected)
      return "line " + std::to_string(number) + ": " + line + "\nexpected: " + expected;
  }
}

void check_golden(const std::string& name, const std::string& log) {
  const auto path = std::string{TROUPE_SOURCE_DIR} + "/tests/golden/" + name;
  if (const auto* update = std::getenv("TROUPE_UPDATE_GOLDEN"); update != nullptr && *update != 0)
    std::ofstream{path, std::ios::binary} << log;
  std::ifstream file{path, std::ios::binary};
  const std::string golden{std::istreambuf_iterator<char>{file}, {}};
  CHECK(difference(log, golden).empty());
  if (log != golden)
    MESSAGE(name << ", " << difference(log, golden));
}

/// Whether `words` occur in `log`, one after the other.
bool in_order(const std::string& log, std::initializer_list<const char*> words) {
  std::size_t at = 0;
  for (const auto* word : words) {
    at = log.find(word, at);
    if (at == std::string::npos) {
      MESSAGE("not found in its place: " << std::string{word});
      return false;
    }
  }
  return true;
}

} // namespace

TEST_CASE("the log of a ParSync cluster is the golden one") {
  const auto log = log_of(parse_settings(tiny, "tiny.toml"), end);
  CHECK(in_order(log, {"submission", "decided", "commit_request", "machine_order", "commit_reply",
                       "rejections [{index", "decided", "commit_request", "machine_order",
                       "sync_round", "sync_update", "task_ends", "task_report"}));
  check_golden("parsync.log", log);
}

TEST_CASE("the log of a StateSync cluster is the golden one") {
  const std::vector<std::string> overrides{"architecture=statesync"};
  const auto log = log_of(parse_settings(tiny, "tiny.toml", overrides), end);
  CHECK(in_order(log, {"submission", "commit_request", "rejections [{index", "task_report",
                       "sync_round", "sync_update"}));
  check_golden("statesync.log", log);
}

TEST_CASE("the log of a statically divided cluster is the golden one") {
  const std::vector<std::string> overrides{"architecture=static"};
  const auto log = log_of(parse_settings(tiny, "tiny.toml", overrides), end);
  CHECK(in_order(log, {"submission", "commit_request", "task_report"}));
  CHECK(log.find("sync_round") == std::string::npos);
  CHECK(log.find("rejections [") == std::string::npos);
  check_golden("static.log", log);
}

TEST_CASE("the log of a monolithic cluster is the golden one") {
  const std::vector<std::string> overrides{"architecture=monolithic"};
  const auto log = log_of(parse_settings(tiny, "tiny.toml", overrides), end);
  CHECK(in_order(log, {"scheduler 0", "submission", "commit_request", "task_report"}));
  CHECK(log.find("scheduler 1") == std::string::npos);
  CHECK(log.find("rejections [") == std::string::npos);
  check_golden("monolithic.log", log);
}

TEST_CASE("the log of a cluster under two-level scheduling is the golden one") {
  const std::vector<std::string> overrides{"architecture=two-level", "workload.duration.value=0.5",
                                           "offers.whole=true"};
  const auto log = log_of(parse_settings(tiny, "tiny.toml", overrides), end);
  CHECK(in_order(log,
                 {"submission", "resource_offer", "decided", "offer_answer", "commit_request",
                  "commit_reply", "capacity_report", "resource_offer", "decided", "offer_answer"}));
  CHECK(log.find("sync_round") == std::string::npos);
  CHECK(log.find("rejections [") == std::string::npos);
  check_golden("two-level.log", log);
}

TEST_CASE("the log of gangs across two owners is the golden one") {
  const std::vector<std::string> overrides{"workload.gang=true", "cluster.machines=6",
                                           "workload.tasks_per_job.value=3",
                                           "network.jitter=300us"};
  const auto log = log_of(parse_settings(tiny, "tiny.toml", overrides), end);
  CHECK(in_order(log, {"submission", "mode hold", "rejections [{index", "mode release", "aborted",
                       "mode hold", "mode launch", "machine_order", "task_report"}));
  check_golden("gang.log", log);
}

TEST_CASE("the log of moldable gangs under EASY is the golden one") {
  const std::vector<std::string> overrides{"architecture=monolithic",
                                           "workload.gang=true",
                                           "workload.bursts=2",
                                           "workload.burst_interval=100ms",
                                           "workload.moldable={share=1,speedup=\"linear\"}",
                                           "scheduler.discipline=easy",
                                           "scheduler.width=earliest-finish"};
  const auto log = log_of(parse_settings(tiny, "tiny.toml", overrides), end);
  CHECK(in_order(log, {"submission", "count 1", "requested 2", "commit_request", "runtime 625ms",
                       "machine_order", "task_report", "commit_request", "runtime 625ms"}));
  check_golden("moldable.log", log);
}

TEST_CASE("the log of a task that takes the place of another is the golden one") {
  constexpr auto preempting = R"(
schedulers = 2
interval = "1h"
[cluster]
machines = 2
slots = 1
partitions = 1
owners = 1
[network]
latency = "1ms"
[scheduler]
policy = "quality-first"
t_task = "2ms"
[workload]
kind = "burst"
[[groups]]
name = "batch"
schedulers = 1
workload.tasks_per_job.value = 2
workload.duration.value = 3
[[groups]]
name = "production"
schedulers = 1
scheduler.preemption = true
workload.priority = 10
workload.burst_start = "1200ms"
workload.duration.value = 0.5
)";
  const auto log = log_of(parse_settings(preempting, "tiny.toml"), std::chrono::milliseconds{5100});
  CHECK(in_order(log, {"machine_order", "held [{priority 0", "priority 10", "preempts true", "kill",
                       "machine_order", "preempted [{task 0.", "task_ends", "machine_order",
                       "outcome preempted", "outcome finished"}));
  check_golden("preemption.log", log);
}

TEST_CASE("the log of a Sparrow cluster is the golden one") {
  // Two jobs of two tasks reserve on all of three machines: one task waits until another ends, and
  // the reservations that are left are cancelled.
  const auto log =
    log_of(parse_settings(tiny, "tiny.toml",
                          std::vector<std::string>{"architecture=sparrow", "cluster.machines=3",
                                                   "sparrow.ratio=1.5"}),
           std::chrono::milliseconds{2700});
  CHECK(in_order(log, {"submission", "decided", "queue_entry kind reservation", "task_requests",
                       "task_assignment", "cancels true", "ended", "task_requests",
                       "task_assignment", "task_news"}));
  check_golden("sparrow.log", log);
}

TEST_CASE("the log of a hybrid cluster is the golden one") {
  // A long task holds machine 0 or 1; what short tasks have reserved behind it is stolen.
  const auto log =
    log_of(parse_settings(tiny_mixture, "mixture.toml"), std::chrono::milliseconds{1800});
  CHECK(
    in_order(log, {"submission", "commit_request", "machine_order", "queue_entry kind reservation",
                   "task_assignment", "ended", "steal", "stolen_entries from", "get_task_request",
                   "task_assignment", "cancellation"}));
  check_golden("hybrid.log", log);
}

TEST_CASE("addresses of actors stay out of a readable message") {
  CHECK(test::readable("(peers([], [17@invalid-node]))") == "peers");
  CHECK(test::readable("('join', member(0, 1), 8@00AB#3)") == "join");
  CHECK(test::readable("('due')") == "due");
  CHECK(test::readable("('steal', 3)") == "steal 3");
  CHECK(test::readable("('ended', 4.2)") == "ended 4.2");
  CHECK(test::readable("(peers([], [], []))") == "peers");
  CHECK(test::readable("(sync_round(7))") == "sync_round number 7");
}
