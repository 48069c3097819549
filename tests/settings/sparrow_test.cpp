#include "settings/reading.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("Sparrow and hybrid are presets of schedulers and sync") {
  const auto sparrow = parsed("architecture = 'sparrow'\n" + one_phase);
  CHECK(sparrow.groups.at(0).scheduler.actor == "sparrow");
  CHECK(sparrow.sync.plan == sync_plan_kind::none);
  CHECK(sparrow.sparrow.probing == probing::late_binding);
  const auto hybrid = parsed("architecture = 'hybrid'\n" + one_phase);
  CHECK(hybrid.groups.at(0).scheduler.actor == "hybrid");
  CHECK(hybrid.sync.plan == sync_plan_kind::partitioned);
  CHECK(parsed(one_phase).groups.at(0).scheduler.actor == "placing");
}

TEST_CASE("the kind of scheduler can be set for each group") {
  const auto s = parsed("architecture = 'sparrow'\nsync.plan = 'full'\n" + one_phase + R"(
[[groups]]
name = "A"
schedulers = 1
scheduler.actor = "placing"
[[groups]]
name = "B"
schedulers = 2
)");
  CHECK(s.groups.at(0).scheduler.actor == "placing");
  CHECK(s.groups.at(1).scheduler.actor == "sparrow");
  const auto all = parsed("architecture = 'hybrid'\nscheduler.actor = 'sparrow'\n" + one_phase);
  CHECK(all.groups.at(0).scheduler.actor == "sparrow");
}

TEST_CASE("what schedulers that probe cannot do is refused") {
  const auto with = [](const std::string& text) { return refusal(text + "\n" + one_phase); };
  CHECK(with("architecture = 'sparrow'\nworkload.gang = true") ==
        "f.toml:2: key 'workload.gang': value true; expected false, as a scheduler that probes "
        "machines cannot start tasks together");
  CHECK(with("architecture = 'sparrow'\nsparrow.probing = 'batch'\nworkload.spread = true") ==
        "f.toml:3: key 'workload.spread': value true; expected false, or sparrow.probing = "
        "\"late-binding\", as no scheduler knows which tasks in queues will run together");
  CHECK(with("architecture = 'hybrid'\nschedulers = 2\nhybrid.long_schedulers = 2") ==
        "f.toml:2: key 'schedulers': value 2; expected more than hybrid.long_schedulers, 2: the "
        "rest of them is for the short jobs");
  CHECK(with("architecture = 'hybrid'\nhybrid.reserved = 0.99\ncluster.partitions = 20") ==
        "f.toml:2: key 'hybrid.reserved': value 0.99; expected a share that leaves one of the 20 "
        "partitions to the long jobs");
  CHECK(with("architecture = 'sparrow'\nsync.plan = 'exclusive'") ==
        "f.toml:2: key 'sync.plan': value \"exclusive\"; expected partitioned, full, same or none, "
        "as scheduler.actor = \"sparrow\" leaves no machine to one scheduler alone");
  CHECK(with("sync.plan = 'none'") ==
        "f.toml:1: key 'sync.plan': value \"none\"; expected partitioned, full or same, as "
        "scheduler.actor = \"placing\" places tasks on a view");
  CHECK(with("architecture = 'sparrow'\nscheduler.actor = 'placing'") ==
        "f.toml:2: key 'sync.plan': value \"none\" (the default); expected partitioned, full or "
        "same, as scheduler.actor = \"placing\" places tasks on a view");
  CHECK(with("architecture = 'hybrid'\nscheduler.own_share = 'soft'") ==
        "f.toml:2: key 'scheduler.own_share': value \"soft\"; expected none, as hybrid.reserved "
        "determines the partitions for long jobs");
  CHECK(with("sparrow.ratio_min = 5") ==
        "f.toml:1: key 'sparrow.ratio_min': value 5; expected at most sparrow.ratio_max, 3");
  CHECK(with("sparrow.session_calls = 4294967296") ==
        "f.toml:1: key 'sparrow.session_calls': value 4294967296; expected a whole number, 1 .. "
        "10000000");
  CHECK(with("sparrow.probing = 'late'") ==
        "f.toml:1: key 'sparrow.probing': value \"late\"; expected random, per-task, batch or "
        "late-binding");
}
