#include "model/base/planted_faults.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/faults/chaos.hpp"
#include "settings/toml/read.hpp"
#include "support/contains.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace troupe;
using namespace troupe::test;

#ifdef TROUPE_CHECKS

namespace {

class plant {
public:
  explicit plant(planted_fault what) { planted_now = what; }
  ~plant() { planted_now = planted_fault::none; }

  plant(const plant&) = delete;
  plant& operator=(const plant&) = delete;
};

/// Returns what is found within 200 seeds, or nothing.
std::string found(planted_fault what, const std::string& config = "parsync",
                  const std::vector<std::string>& overrides = {}) {
  const plant planted{what};
  auto settings =
    read_settings(std::string{TROUPE_SOURCE_DIR} + "/configs/chaos/" + config + ".toml", overrides);
  if (auto& trace = settings.cluster.trace.file; !trace.empty())
    trace = TROUPE_SOURCE_DIR "/" + trace;
  resolve_machines(settings);
  for (settings.seed = 1; settings.seed <= 200; ++settings.seed)
    if (const auto outcome = run_chaos(settings); outcome.violation)
      return *outcome.violation;
  return {};
}

} // namespace

TEST_CASE("an owner that forgets to check capacity is found") {
  const auto what = found(planted_fault::unchecked_capacity);
  CAPTURE(what);
  CHECK((contains(what, "over capacity") || contains(what, "room for")));
}

TEST_CASE("a moldable job that does not take the time that belongs to its width is found") {
  const auto what = found(planted_fault::unscaled_width, "moldable");
  CAPTURE(what);
  CHECK((contains(what, "none of its widths") || contains(what, "not the width")));
}

TEST_CASE("a scheduler that does not tell how wide it has made a job is found") {
  const auto what = found(planted_fault::untold_width, "moldable");
  CAPTURE(what);
  CHECK(contains(what, "task"));
}

TEST_CASE(
  "a scheduler that places tasks on machines of the wrong kind, or side by side, is found") {
  for (const auto& [only, why] :
       {std::pair{"groups.0.workload.phases.0.rate=0.01", "does not meet its constraints"},
        std::pair{"groups.1.workload.phases.0.rate=0.01", "of its job, which spreads"}}) {
    const auto what = found(planted_fault::ignored_constraints, "constraints", {only});
    CAPTURE(what);
    CHECK(contains(what, why));
  }
}

TEST_CASE("schedulers that probe and do not look at machines that have joined are found") {
  const auto what = found(planted_fault::unseen_machines, "growing", {"architecture=sparrow"});
  CAPTURE(what);
  CHECK(contains(what, "tasks queued"));
}

TEST_CASE("a use of machines that windows close is found in every architecture") {
  for (const auto* config : {"parsync", "statesync", "static", "two-level", "sparrow", "hybrid"}) {
    const auto what = found(planted_fault::ignored_windows, config,
                            {"cluster.windows=" TROUPE_SOURCE_DIR "/configs/chaos/windows.csv",
                             R"(tenants=[{name="x"},{name="y"}])"});
    CAPTURE(config);
    CAPTURE(what);
    CHECK(contains(what, ", a window of which keeps it away"));
  }
}

TEST_CASE("a scheduler that drops a rejection is found") {
  const auto what = found(planted_fault::dropped_rejection);
  CAPTURE(what);
  CHECK(contains(what, "in commit"));
}

TEST_CASE("a machine that reports an end twice is found") {
  const auto what = found(planted_fault::doubled_end);
  CAPTURE(what);
  CHECK(contains(what, "the end of a task that does not run"));
}

TEST_CASE("a machine that leaves the word to its process too early is found") {
  const auto what = found(planted_fault::early_quiet);
  CAPTURE(what);
  CHECK_FALSE(what.empty());
}

TEST_CASE("a new owner that trusts an old claim is found") {
  const auto what = found(planted_fault::trusted_claim);
  CAPTURE(what);
  CHECK_FALSE(what.empty());
}

TEST_CASE("a new owner that is silent about the machines that it does not know is found") {
  const auto what = found(planted_fault::unnamed_machine);
  CAPTURE(what);
  CHECK_FALSE(what.empty());
}

TEST_CASE("a new scheduler that takes a group of tasks for over too early is found") {
  for (const auto* config : {"dependencies", "sparrow-dependencies"}) {
    const auto what = found(planted_fault::early_release, config);
    CAPTURE(config);
    CAPTURE(what);
    CHECK(contains(what, ", for which it waits, is over"));
  }
}

TEST_CASE("a machine that keeps its tasks when it has less than before is found") {
  for (const auto* config : {"traced", "sparrow-traced", "hybrid-traced"}) {
    const auto what = found(planted_fault::kept_tasks, config);
    CAPTURE(config);
    CAPTURE(what);
    CHECK(contains(what, "runs more than it has room for"));
  }
}

TEST_CASE("a machine with a queue that forgets to check capacity is found") {
  const auto what = found(planted_fault::unchecked_capacity, "sparrow");
  CAPTURE(what);
  CHECK(contains(what, "runs more than it has room for"));
}

TEST_CASE("a Sparrow scheduler that forgets what a machine has lost is found") {
  const auto what = found(planted_fault::dropped_rejection, "sparrow");
  CAPTURE(what);
  CHECK(contains(what, "is believed to run by its scheduler, and does not"));
}

TEST_CASE("a machine with a queue that reports an end twice is found") {
  const auto what = found(planted_fault::doubled_end, "sparrow");
  CAPTURE(what);
  CHECK(contains(what, "a start or an end that it does not expect"));
}

TEST_CASE("a new Sparrow scheduler that does not wait for what machines tell is found") {
  const auto what = found(planted_fault::trusted_claim, "sparrow");
  CAPTURE(what);
  CHECK_FALSE(what.empty());
}

TEST_CASE("a record that misses an attempt is found") {
  for (const auto* config : {"parsync", "static", "sparrow"}) {
    const auto what = found(planted_fault::unrecorded_attempt, config);
    CAPTURE(config);
    CAPTURE(what);
    CHECK(contains(what, "the record of "));
    CHECK(contains(what, " attempts, and there were "));
  }
}

TEST_CASE("a record that names the wrong machine is found") {
  for (const auto* config : {"parsync", "two-level", "hybrid", "sparrow"}) {
    const auto what = found(planted_fault::misrecorded_machine, config);
    CAPTURE(config);
    CAPTURE(what);
    CHECK(contains(what, "says that it ended on machine "));
  }
}

TEST_CASE("a record that calls a lost task finished is found") {
  for (const auto* config : {"parsync", "sparrow"}) {
    // Failures are short, as a task is to be lost twice.
    const auto what = found(planted_fault::recorded_as_finished, config,
                            {"failures.retries=1", "chaos.faults=30", "chaos.longest=1s"});
    CAPTURE(config);
    CAPTURE(what);
    CHECK(contains(what, ", and says \"finished\""));
  }
}

TEST_CASE("a refusal without a record is found") {
  const auto what = found(planted_fault::unrecorded_refusal);
  CAPTURE(what);
  CHECK((contains(what, "none of the refusal by owner") ||
         contains(what, " conflicts, and there were ") || contains(what, "aborted placements")));
}

TEST_CASE("a task without a record is found") {
  for (const auto* config : {"parsync", "sparrow"}) {
    const auto what = found(planted_fault::unrecorded_task, config);
    CAPTURE(config);
    CAPTURE(what);
    CHECK(contains(what, " tasks that are over, and there were 0"));
  }
}

#else

TEST_CASE("this build has no planted faults" * doctest::skip()) {}

#endif
