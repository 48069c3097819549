#include "runtime/cluster/cluster_trial.hpp"

#include "report/csv/timeseries_csv.hpp"
#include "report/summary/summary_json.hpp"
#include "report/summary/totals.hpp"
#include "runtime/run/run.hpp"
#include "settings/toml/read.hpp"

#include <sstream>

namespace troupe {

namespace {

class no_monitor final : public run_monitor {
public:
  void progress(const run_progress&) override {}
  bool stop_requested() override { return false; }
};

} // namespace

run_results try_cluster(std::string_view toml, const std::vector<std::string>& overrides) {
  auto settings = parse_settings(toml, "trial", overrides);
  settings.clock = clock_kind::virtual_time;
  no_monitor monitor;
  return run(settings, monitor);
}

std::vector<std::string> failed_checks(const run_results& results) {
  std::vector<std::string> failed;
  for (const auto& check : results.checks)
    if (!check.passed)
      failed.push_back(check.name + ": " + check.detail);
  return failed;
}

task_counts tasks_of(const run_results& results) {
  return totals_of(results).sample.tasks;
}

std::string results_text(const run_results& results) {
  auto summary = summary_json(results);
  summary.erase("host");
  std::ostringstream out;
  out << summary.dump();
  write_timeseries(out, results);
  return out.str();
}

} // namespace troupe
