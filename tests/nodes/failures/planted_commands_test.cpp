#include "cli/process.hpp"
#include "jobs/storm.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

using namespace troupe::test;
using namespace troupe::trials;
using namespace std::chrono_literals;

// The storm finds what is planted in the nodes of its cluster. That it finds nothing else: see
// job_trials_test.cpp.

#ifdef TROUPE_CHECKS

namespace {

/// Nodes that are started meanwhile have a fault.
class plant {
public:
  explicit plant(const char* fault) { setenv("TROUPE_PLANTED_FAULT", fault, 1); }
  ~plant() { unsetenv("TROUPE_PLANTED_FAULT"); }

  plant(const plant&) = delete;
  plant& operator=(const plant&) = delete;
};

/// How long commands and owners wait for a machine's node.
struct patience {
  std::chrono::milliseconds lease = 8s;
  /// The default of 20 s would have tasks wait for a frozen machine.
  const char* owners = "failures.machine_timeout=4s";
};

/// A node that is started again, however slowly, still speaks for its commands.
constexpr patience until_it_is_back{30s, "failures.machine_timeout=20s"};

/// What a small storm finds, whose tasks take `lasting` each and whose strikes are `strikes`.
/// Another machine has room for the tasks of the one that is struck.
storm_figures found(const char* fault, std::chrono::milliseconds lasting,
                    std::vector<storm_strike> strikes, const patience& with = {}) {
  const plant planted{fault};
  const scratch here;
  jobs_plan plan;
  plan.troupe = TROUPE_PROGRAM;
  plan.directory = here.path() / "trial";
  plan.config = TROUPE_SOURCE_DIR "/configs/jobs.toml";
  plan.machines = 2;
  plan.members_apart = true;
  plan.overrides = {with.owners};
  storm_plan storm;
  storm.tasks = 10;
  storm.shortest = lasting;
  storm.longest = lasting + 100ms;
  storm.lease = with.lease;
  storm.pause = 1s;
  storm.faults = static_cast<std::uint32_t>(strikes.size());
  storm.first = std::move(strikes);
  auto figures = try_storm(plan, storm);
  CHECK_FALSE(is_good(figures));
  return figures;
}

} // namespace

TEST_CASE("the storm finds a supervisor that lets its command outlive the lease") {
  const auto f = found("outlived_lease", 20s, {{fault_action::freeze, "", 16s}}, {.lease = 5s});
  CHECK(f.together > 0);
}

TEST_CASE("the storm finds a node that reports an adopted command as lost while it runs") {
  const auto f = found("adopted_as_lost", 20s, {{fault_action::outage, "", 1s}}, until_it_is_back);
  CHECK(f.together > 0);
}

TEST_CASE("the storm finds a node that reports an adopted command as done") {
  const auto f = found("adopted_as_done", 14s, {{fault_action::outage, "", 1s}}, until_it_is_back);
  CHECK(f.lost > 0);
}

TEST_CASE("the storm finds a command that is started twice for one attempt") {
  const auto f = found("doubled_start", 300ms, {});
  CHECK(f.repeated > 0);
}

TEST_CASE("the storm finds attempts that are not in the store") {
  const auto f = found("unstored_attempt", 300ms, {});
  CHECK(f.unknown > 0);
}

TEST_CASE("the storm finds tasks that run before those that they wait for") {
  const auto f = found("early_release", 1s, {});
  CHECK(f.out_of_order > 0);
}

TEST_CASE("the storm finds a scheduler that does not take the policy that was ordered") {
  const auto f = found("unheeded_policy", 3s, {{fault_action::freeze, "", 1s}});
  CHECK(f.orders > 0);
  CHECK_FALSE(f.other_policies.empty());
}

TEST_CASE("the storm finds orders for policies that are not in the store") {
  const auto f = found("unstored_policies", 3s, {{fault_action::freeze, "", 1s}});
  CHECK(f.orders > 0);
  CHECK_FALSE(f.other_policies.empty());
}

#endif
