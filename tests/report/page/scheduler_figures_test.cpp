#include "report/page/page.hpp"
#include "report/page/plots/scheduler_figures.hpp"
#include "report/page/run_directory.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

run_results results_of_schedulers() {
  auto results = sample_results();
  for (int second = 0; second < 4; ++second)
    for (scheduler_id s = 0; s < 3; ++s) {
      scheduler_row row{std::chrono::seconds{second}, std::chrono::seconds{second + 1}, s};
      row.queued = static_cast<std::uint64_t>(10 * second + 5 * ((s + 1) % 3));
      row.busy = std::chrono::milliseconds{250 * (s + 1)};
      results.schedulers.push_back(row);
    }
  return results;
}

} // namespace

TEST_CASE("a page shows the median of the schedulers, and who is at the edges") {
  const run_directory here(results_of_schedulers());
  const std::vector<run_folder> runs{read_run_folder(here.path())};
  const auto figures = scheduler_figures(runs);
  REQUIRE(figures.size() == 2); // views have no age
  REQUIRE(figures[0].lines.size() == 1);
  const auto& queues = figures[0].lines[0];
  CHECK(queues.x == std::vector<double>{1, 2, 3, 4});
  CHECK(queues.low == std::vector<double>{0, 10, 20, 30});
  CHECK(queues.y == std::vector<double>{5, 15, 25, 35});
  CHECK(queues.high == std::vector<double>{10, 20, 30, 40});
  CHECK(queues.high_of[0] == "scheduler 1");
  CHECK(queues.low_of[0] == "scheduler 2");
  CHECK(figures[1].lines[0].high[3] == 0.75);
  const auto page = page_html(contents_for({here.path()}));
  CHECK(page.find("Busyness of schedulers") != std::string::npos);
}

TEST_CASE("results without schedulers.csv, or with one scheduler, have no such figures") {
  const run_directory without;
  std::vector<run_folder> runs{read_run_folder(without.path())};
  CHECK(scheduler_figures(runs).empty());
  auto results = results_of_schedulers();
  std::erase_if(results.schedulers, [](const scheduler_row& r) { return r.scheduler > 0; });
  const run_directory one(results);
  runs = {read_run_folder(one.path())};
  CHECK(scheduler_figures(runs).empty());
}
