#include "settings/reading.hpp"
#include "settings/toml/print.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

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
  CHECK(under("parsync").sync.plan == sync_plan_kind::partitioned);
  CHECK(under("statesync").sync.plan == sync_plan_kind::full);

  const auto fixed = under("static");
  CHECK(fixed.sync.plan == sync_plan_kind::exclusive);
  CHECK(fixed.owner.report_interval == 0s);
  CHECK(fixed.schedulers == 12);
  for (const auto& group : fixed.groups)
    CHECK(group.scheduler.own_share == sharing::hard);

  const auto monolithic = under("monolithic");
  CHECK(monolithic.sync.plan == sync_plan_kind::exclusive);
  CHECK(monolithic.pool == 1);
  CHECK(monolithic.schedulers == 1);
  CHECK(monolithic.scheduler.own_share == sharing::none);
  CHECK(monolithic.scheduler.code_paths == code_path_kind::single);
  CHECK(monolithic.groups[0].schedulers == 10); // what its load is a share of
}

TEST_CASE("what a file sets, no architecture changes") {
  CHECK(under("static", {"owner.report_interval=50ms"}).owner.report_interval == 50ms);
  CHECK(under("monolithic", {"pool=3", "sync.plan=full"}).schedulers == 3);
  const auto soft = under("static", {"sync.plan=partitioned", "scheduler.own_share=soft"});
  CHECK(soft.groups[1].scheduler.own_share == sharing::soft);
  const auto mixed =
    under("static", {"sync.plan=partitioned", "groups.1.scheduler.own_share=none"});
  CHECK(mixed.groups[0].scheduler.own_share == sharing::hard);
  CHECK(mixed.groups[1].scheduler.own_share == sharing::none);
  CHECK(under("monolithic", {"sync.groups=10"}).sync.groups == 10);
}

namespace {

/// Reads files that extend each other, the first one extended by the second, and so on.
run_settings layered(const std::vector<std::string>& texts,
                     const std::vector<std::string>& overrides = {}) {
  const auto folder = std::filesystem::path(TROUPE_BINARY_DIR) / "architectures-test";
  std::filesystem::create_directories(folder);
  std::string last;
  for (const auto& text : texts) {
    const auto name = "f" + std::to_string(text.size()) + last;
    std::ofstream(folder / name) << (last.empty() ? "" : "extends = \"" + last + "\"\n") << text;
    last = name;
  }
  const auto s = read_settings(folder / last, overrides);
  std::filesystem::remove_all(folder);
  CHECK(parsed(to_toml(s)) == s);
  return s;
}

} // namespace

TEST_CASE("an architecture set later than a part of its preset wins") {
  const auto pinned = two_groups + "[sync]\nplan = \"partitioned\"\n"
                                   "[owner]\nreport_interval = \"50ms\"\n";
  const auto offers = layered({pinned}, {"architecture=two-level"});
  CHECK(offers.sync.plan == sync_plan_kind::offers);
  CHECK(offers.owner.report_interval == 50ms);
  CHECK(layered({pinned, "architecture = \"two-level\"\n"}).sync.plan == sync_plan_kind::offers);
  CHECK(layered({pinned, "name = \"x\"\n"}, {"architecture=statesync"}).sync.plan ==
        sync_plan_kind::full);
  CHECK(layered({pinned}, {"architecture=static"}).owner.report_interval == 0s);
  // Set in one file with it, or later, the part wins.
  CHECK(parsed("architecture = \"two-level\"\n" + pinned).sync.plan == sync_plan_kind::partitioned);
  CHECK(layered({"architecture = \"two-level\"\n" + two_groups, pinned}).sync.plan ==
        sync_plan_kind::partitioned);
  CHECK(layered({two_groups}, {"architecture=two-level", "sync.plan=full"}).sync.plan ==
        sync_plan_kind::full);
}

TEST_CASE("shares, pools and actors go with the architecture that was set later") {
  const auto soft = "[scheduler]\nown_share = \"soft\"\n" + one_phase;
  CHECK(layered({soft}, {"architecture=static"}).scheduler.own_share == sharing::hard);
  CHECK(layered({"[scheduler]\nactor = \"placing\"\n" + one_phase}, {"architecture=sparrow"})
          .scheduler.actor == "sparrow");
  CHECK(layered({soft}, {"architecture=statesync"}).scheduler.own_share == sharing::soft);
  const auto of_static =
    layered({"architecture = \"static\"\n[scheduler]\nown_share = \"hard\"\n" + one_phase},
            {"architecture=parsync"});
  CHECK(of_static.scheduler.own_share == sharing::none);
  CHECK(of_static.groups[0].scheduler.own_share == sharing::none);
  const auto pooled = "pool = 3\n" + one_phase;
  CHECK(layered({pooled}, {"architecture=statesync"}).pool == 3);
  CHECK(layered({pooled}, {"architecture=monolithic"}).pool == 1);
  CHECK(layered({"architecture = \"monolithic\"\n" + pooled}, {"architecture=parsync"}).pool == 0);
}

TEST_CASE("what a run has written down can be run under another architecture") {
  for (const std::string first : {"parsync", "static", "two-level", "sparrow"})
    for (const std::string then : {"parsync", "statesync", "static", "monolithic", "two-level"}) {
      CAPTURE(first);
      CAPTURE(then);
      const auto text = "[cluster]\npartitions = 24\n" + one_phase;
      const auto written = to_toml(parsed(text, {"architecture=" + first}));
      const auto expected = parsed(text, {"architecture=" + then});
      const auto s = layered({written}, {"architecture=" + then});
      CHECK(s.sync == expected.sync);
      CHECK(s.pool == expected.pool);
      CHECK(s.owner == expected.owner);
      CHECK(s.scheduler == expected.scheduler);
      CHECK(s.groups == expected.groups);
    }
}

TEST_CASE("options that contradict each other are refused") {
  CHECK(refusal(two_groups, {"sync.plan=full", "architecture=two-level"}) ==
        "--set sync.plan=full: key 'sync.plan': value \"full\"; expected \"offers\", as the later "
        "--set architecture=two-level presets it; or the two in the other order");
  CHECK(refusal(two_groups, {"groups.1.scheduler.own_share=soft", "architecture=static"})
          .starts_with("--set groups.1.scheduler.own_share=soft: key "
                       "'groups.1.scheduler.own_share': value \"soft\"; expected \"hard\""));
  CHECK(refusal(two_groups, {"sync.plan=offers", "architecture=two-level"}) == "accepted");
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
