#include "settings/print.hpp"
#include "settings/reading.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// A file that knows of no architecture.
const std::string two_groups = R"(
schedulers = 12
[cluster]
partitions = 24
[scheduler]
t_task = "1ms"
[[groups]]
name = "batch"
schedulers = 10
[[groups.workload.phases]]
load = 0.5
[[groups]]
name = "service"
schedulers = 2
[groups.scheduler]
t_job = "10s"
[[groups.workload.phases]]
load = 0.5
)";

run_settings under(const std::string& architecture, std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), "architecture=" + architecture);
  const auto s = parsed(two_groups, overrides);
  CHECK(parsed(to_toml(s)) == s);
  return s;
}

} // namespace

TEST_CASE("one file runs under every architecture") {
  CHECK(under("parsync").sync.plan == "partitioned");
  CHECK(under("statesync").sync.plan == "full");

  const auto fixed = under("static");
  CHECK(fixed.sync.plan == "exclusive");
  CHECK(fixed.owner.report_interval == 0s);
  CHECK(fixed.schedulers == 12);
  for (const auto& group : fixed.groups)
    CHECK(group.scheduler.own_share == "hard");

  const auto monolithic = under("monolithic");
  CHECK(monolithic.sync.plan == "exclusive");
  CHECK(monolithic.pool == 1);
  CHECK(monolithic.schedulers == 1);
  CHECK(monolithic.scheduler.own_share == "none");
  CHECK(monolithic.scheduler.code_paths == "single");
  CHECK(monolithic.groups[0].schedulers == 10); // what its load is a share of
}

TEST_CASE("what a file sets, no architecture changes") {
  CHECK(under("static", {"owner.report_interval=50ms"}).owner.report_interval == 50ms);
  CHECK(under("monolithic", {"pool=3", "sync.plan=full"}).schedulers == 3);
  const auto soft = under("static", {"sync.plan=partitioned", "scheduler.own_share=soft"});
  CHECK(soft.groups[1].scheduler.own_share == "soft");
  const auto mixed =
    under("static", {"sync.plan=partitioned", "groups.1.scheduler.own_share=none"});
  CHECK(mixed.groups[0].scheduler.own_share == "hard");
  CHECK(mixed.groups[1].scheduler.own_share == "none");
  CHECK(under("monolithic", {"sync.groups=10"}).sync.groups == 10);
}

TEST_CASE("schedulers that would get into each other's way are refused") {
  CHECK(
    refusal(two_groups, {"sync.plan=exclusive"}) ==
    "--set sync.plan=exclusive: key 'scheduler.own_share': value \"none\" (the default); "
    "expected hard, as sync.plan = \"exclusive\" lets no two schedulers place tasks on the same "
    "machines");
  CHECK(refusal(two_groups, {"architecture=static", "owner.detection=coarse"}) ==
        "--set owner.detection=coarse: key 'owner.detection': value \"coarse\"; expected fine, as "
        "sync.plan = \"exclusive\" leaves no conflicts to detect");
}

TEST_CASE("a hard share needs a partition for every scheduler") {
  CHECK(refusal(two_groups, {"groups.1.scheduler.own_share=hard", "cluster.partitions=11",
                             "cluster.owners=1"}) ==
        "--set groups.1.scheduler.own_share=hard: key 'groups.1.scheduler.own_share': value "
        "\"hard\"; expected none or soft, as 11 partitions are too few for 12 schedulers to have "
        "one each");
}
