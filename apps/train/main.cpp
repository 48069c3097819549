// Does the training runs, from the folder with the configs. Built with TROUPE_PROFILE=generate, it
// counts which code runs how often, for the compiler. The counts are equal each time: all is done
// in one thread, nothing is written, and the host's clocks stand still.

#include "model/metrics/results.hpp"
#include "runtime/run/run.hpp"
#include "settings/toml/read.hpp"
#include "training_runs.hpp"

#include <spdlog/spdlog.h>

#include <ctime>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" void __gcov_reset();

/// Replaces the C library's for the whole program.
extern "C" int clock_gettime(clockid_t, timespec* now) noexcept {
  *now = {};
  return 0;
}

namespace troupe {

namespace {

class silent_monitor final : public run_monitor {
public:
  void progress(const run_progress&) override {}
  bool stop_requested() override { return false; }
};

/// What is read depends on the lengths of paths: it is read before the counts begin.
std::vector<run_settings> read_all() {
  std::vector<run_settings> all;
  for (const auto& by : training_runs)
    all.push_back(read_settings(by.config, std::vector<std::string>{by.setting}));
  return all;
}

void train(const run_settings& by) {
  silent_monitor monitor;
  const auto results = run(by, monitor);
  for (const auto& check : results.checks)
    if (!check.passed)
      throw std::runtime_error(by.name + ": the check '" + check.name + "' failed");
}

} // namespace

} // namespace troupe

int main() try {
  spdlog::set_level(spdlog::level::off);
  const auto all = troupe::read_all();
  __gcov_reset();
  for (const auto& by : all)
    troupe::train(by);
  return 0;
} catch (const std::exception& e) {
  std::cerr << "troupe_train: " << e.what() << '\n';
  return 1;
}
