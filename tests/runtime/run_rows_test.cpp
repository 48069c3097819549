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
