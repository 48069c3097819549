#include "report/csv/row_writer.hpp"
#include "runtime/running.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr auto two_groups = R"(
interval = "500ms"
[cluster]
machines = 40
slots = 2
partitions = 4
owners = 2
[[tenants]]
name = "red"
[[tenants]]
name = "blue"
[[groups]]
name = "a"
schedulers = 2
[groups.workload]
tenant = "red"
phases = [{ length = "2s", rate = 20 }, { length = "3s", rate = 5 }]
[[groups]]
name = "b"
schedulers = 1
[groups.workload]
tenant = "blue"
phases = [{ length = "1s", rate = 10 }, { length = "4s", rate = 20 }]
)";

/// Takes every row, and says how many a run had kept meanwhile.
class taker final : public run_monitor {
public:
  std::vector<interval_record> rows;
  std::vector<tenant_record> shares;

  void progress(const run_progress&) override {}
  bool stop_requested() override { return false; }

  bool take_row(const interval_record& row, const run_results& so_far) override {
    CHECK(so_far.groups.size() == 2);
    rows.push_back(row);
    return true;
  }

  bool take_row(const tenant_record& row, const run_results&) override {
    shares.push_back(row);
    return true;
  }
};

} // namespace

TEST_CASE("a run keeps no rows that are taken, and its results are the same without them") {
  for (const auto* more : {"failures.watch=off", "failures.watch=on"}) {
    const auto settings =
      parse_settings(two_groups, "test.toml", std::vector<std::string>{more, "duration=4s"});
    taker takes;
    auto taken = run(settings, takes);
    watcher keeps;
    auto kept = run(settings, keeps);
    check_passed(taken);
    CHECK(taken.series.empty());
    CHECK(taken.shares.empty());
    CHECK(kept.series.size() == 16);
    const auto summary = summary_of(taken);
    CHECK(summary == summary_of(kept));
    // The same again from the rows.
    kept.sums = nullptr;
    CHECK(summary == summary_of(kept));
    taken.series = takes.rows;
    CHECK(timeseries_of(taken) == timeseries_of(kept));
    CHECK(takes.shares.size() == kept.shares.size());
  }
}

TEST_CASE("the figures of a phase are of its own time, also if it ends within an interval") {
  const std::vector<std::string> phases{
    "groups.0.workload.phases=[{length='1250ms',rate=80},{length='1350ms',rate=8},"
    "{length='2s',rate=200}]",
    "duration=4s"};
  for (const auto* more : {"failures.watch=off", "failures.watch=on"}) {
    CAPTURE(more);
    const auto with = [&](const char* interval) {
      auto all = phases;
      all.insert(all.end(), {more, interval});
      return run_text(two_groups, all);
    };
    auto divided = with("interval=1s");
    check_passed(divided);
    const auto phases_in = [](const run_results& results) { return summary_of(results)["phases"]; };
    const auto told = phases_in(divided);
    const auto exact = phases_in(with("interval=50ms"));
    REQUIRE(told.size() == 6);
    REQUIRE(exact.size() == 6);
    for (std::size_t i = 0; i < told.size(); ++i) {
      CAPTURE(i);
      CHECK(told[i]["from_s"] == exact[i]["from_s"]);
      for (const auto* count : {"submitted", "placed", "finished"})
        CHECK(told[i]["tasks"][count] == exact[i]["tasks"][count]);
      CHECK(told[i]["utilization"]["mean"].get<double>() ==
            doctest::Approx(exact[i]["utilization"]["mean"].get<double>()));
    }
    CHECK(told[0]["tasks"]["submitted"].get<int>() > 5 * told[2]["tasks"]["submitted"].get<int>());
    std::vector<instant> ends;
    for (const auto& row : divided.series)
      if (row.group == 0)
        ends.push_back(row.to);
    CHECK(ends == std::vector<instant>{1s, 1250ms, 2s, 2600ms, 3s, 4s});
    // The same again from the rows.
    divided.sums = nullptr;
    CHECK(phases_in(divided) == told);
  }
}
