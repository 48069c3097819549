#include "execute.hpp"

#include "commands.hpp"
#include "report/progress.hpp"
#include "runtime/run.hpp"
#include "signals.hpp"

#include <spdlog/spdlog.h>

#include <exception>
#include <iostream>
#include <unistd.h>

namespace troupe {

namespace {

/// Shows progress on stderr and ends the run once a signal has come.
class console_monitor : public run_monitor {
public:
  console_monitor(bool quiet, settings_reload reload) : quiet_{quiet}, reload_{std::move(reload)} {}

  void progress(const run_progress& at) override {
    last_ = at;
    if (!quiet_)
      printer_.update(at);
  }

  bool stop_requested() override { return caught_signal() != 0; }

  std::optional<run_settings> new_settings() override { return reload_ ? reload_() : std::nullopt; }

  /// Ends the progress line.
  void finish() {
    if (!quiet_)
      printer_.finish(last_);
  }

private:
  bool quiet_;
  settings_reload reload_;
  run_progress last_;
  progress_printer printer_{std::cerr, isatty(STDERR_FILENO) ? progress_style::refreshed
                                                             : progress_style::plain};
};

} // namespace

results_directory open_results(const std::filesystem::path& path) try {
  return results_directory{path};
} catch (const std::exception& e) {
  throw usage_error{e.what()};
}

run_results run_watched(const run_settings& settings, bool quiet, settings_reload reload) {
  console_monitor monitor{quiet, std::move(reload)};
  watch_signals();
  spdlog::info("run started: {}, seed {}", settings.name, settings.seed);
  auto results = run(settings, monitor);
  monitor.finish();
  spdlog::info("run ended at {}", to_string(results.simulated));
  return results;
}

int exit_code_of(const run_results& results) {
  for (const auto& check : results.checks)
    if (!check.passed)
      return exit_code::failed;
  return results.interrupted ? 128 + caught_signal() : exit_code::done;
}

} // namespace troupe
