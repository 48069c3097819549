#include "runtime/running.hpp"

#include <map>

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr auto scheduled_cluster = R"(
duration = "5s"
interval = "500ms"
schedulers = 3
[cluster]
partitions = 6
owners = 2
machines = 30
slots = 2
[scheduler]
t_task = "5ms"
[workload]
arrivals = "poisson"
phases = [{ length = "5s", rate = 40 }]
duration = { value = 0.5 }
)";

} // namespace

TEST_CASE("the rows of schedulers add up to the rows of the run, in every architecture") {
  for (const std::string architecture : {"parsync", "two-level", "static", "sparrow"})
    for (const std::string watch : {"auto", "on"}) {
      CAPTURE(architecture);
      CAPTURE(watch);
      const auto r =
        run_text(scheduled_cluster, {"architecture=" + architecture, "failures.watch=" + watch});
      check_passed(r);
      std::map<instant, std::uint64_t> placed;
      std::map<instant, std::uint64_t> queued;
      std::map<instant, std::uint64_t> conflicts;
      duration busy{0};
      for (const auto& row : r.schedulers) {
        CHECK(row.scheduler < 3);
        placed[row.to] += row.placed;
        queued[row.to] += row.queued;
        conflicts[row.to] += row.conflicts;
        busy += row.busy;
      }
      duration all_busy{0};
      for (const auto& row : r.series) {
        CHECK(placed[row.to] == row.sample.tasks.placed);
        CHECK(conflicts[row.to] == row.sample.conflicts);
        if (watch == "auto") // otherwise the stores say what is on its way
          CHECK(queued[row.to] == row.sample.tasks.queued);
        all_busy += row.sample.busy;
      }
      CHECK(busy == all_busy);
      CHECK(r.schedulers.size() == 3 * r.series.size());
    }
}
