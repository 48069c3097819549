#pragma once

#include "report/csv/timeseries_csv.hpp"
#include "report/summary/summary_json.hpp"
#include "runtime/run/run.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace troupe::test {

/// Keeps what a run tells its monitor, and ends it once `stop` says so.
class watcher final : public run_monitor {
public:
  std::vector<run_progress> seen;
  std::function<bool(const watcher&)> stop;

  void progress(const run_progress& at) override { seen.push_back(at); }
  bool stop_requested() override { return stop && stop(*this); }
};

inline run_results run_text(std::string_view toml, const std::vector<std::string>& overrides = {}) {
  watcher monitor;
  return run(parse_settings(toml, "test.toml", overrides), monitor);
}

inline run_results run_config(const std::string& name, const std::vector<std::string>& overrides) {
  watcher monitor;
  return run(
    read_settings(std::string{TROUPE_SOURCE_DIR} + "/configs/experiments/" + name, overrides),
    monitor);
}

/// `summary.json` without what depends on the machine that the run was made on.
inline nlohmann::ordered_json summary_of(const run_results& results) {
  auto summary = summary_json(results);
  summary.erase("host");
  return summary;
}

inline std::string timeseries_of(const run_results& results) {
  std::ostringstream out;
  write_timeseries(out, results);
  return out.str();
}

/// Fails the test for each self-check that has failed.
inline void check_passed(const run_results& results) {
  CHECK(results.checks.size() >= 3);
  for (const auto& c : results.checks) {
    CAPTURE(c.name);
    CAPTURE(c.detail);
    CHECK(c.passed);
  }
}

} // namespace troupe::test
