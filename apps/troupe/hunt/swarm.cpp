#include "hunt/swarm.hpp"

#include "commands/commands.hpp"
#include "hunt/seed_hunt.hpp"
#include "hunt/seeds_under_way.hpp"
#include "policies/plugin_library.hpp"
#include "runtime/swarm/shrink.hpp"
#include "support/log.hpp"
#include "support/signals.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>

namespace troupe {

namespace {

constexpr std::size_t most_told_of_class = 5; ///< seeds, a line for each
constexpr std::size_t most_shrunk = 12;       ///< classes

/// Failures of one architecture that differ only in numbers.
struct failing_class {
  std::uint64_t count = 0;
  std::uint64_t first = ~std::uint64_t{0}; ///< seed
};

struct swarm_totals : hunt_totals {
  std::uint64_t refused = 0;
  std::map<std::string, failing_class> classes;
};

class swarm_hunt {
public:
  explicit swarm_hunt(const swarm_options& options) : options_(options), under_way_(options.jobs) {}

  const swarm_totals& run() {
    for_each_seed(options_.seeds, options_.jobs, [this](unsigned worker, std::uint64_t seed) {
      under_way_.begin(worker, seed);
      const auto draw = draw_swarm(seed, options_.mode);
      auto finding = note(draw, try_run(draw.settings, options_.mode));
      under_way_.end(worker);
      return finding;
    });
    return sum_;
  }

private:
  /// Returns what to print about it, or nothing.
  std::string note(const swarm_draw& draw, const swarm_trial& trial) {
    const std::lock_guard lock{mutex_};
    sum_.add(trial);
    sum_.refused += draw.refused;
    if (!trial.failure)
      return {};
    ++sum_.failed;
    auto& alike =
      sum_.classes[to_string(draw.settings.architecture) + ": " + failure_class(*trial.failure)];
    alike.first = std::min(alike.first, draw.seed);
    if (++alike.count > most_told_of_class)
      return {};
    return fmt::format("seed {} ({}) fails: {}", draw.seed, to_string(draw.settings.architecture),
                       *trial.failure);
  }

  const swarm_options& options_;
  seeds_under_way under_way_;
  std::mutex mutex_;
  swarm_totals sum_;
};

/// Shrinks the first failing run of a class, and writes and prints it.
void tell_smallest(const swarm_options& options, std::uint64_t seed, std::uint64_t count) {
  const auto draw = draw_swarm(seed, options.mode);
  const auto trial = try_run(draw.settings, options.mode);
  if (!trial.failure) {
    std::cout << "\nseed " << seed << " passes when it is run again\n";
    return;
  }
  const auto most = options.mode == swarm_mode::real ? 20U : 600U;
  std::cerr << "looking for a smaller run that fails like seed " << seed << ", in up to " << most
            << " runs" << std::endl;
  const auto small = shrink(draw, options.mode, trial, most, [] { return caught_signal() != 0; });
  const auto path = options.directory + "/seed-" + std::to_string(seed) + ".toml";
  std::filesystem::create_directories(options.directory);
  std::ofstream file{path};
  file << "# " << small.failure << '\n' << to_toml(small);
  std::cout << '\n'
            << count << " seeds fail like seed " << seed << ": " << small.failure
            << "\nsmallest run, found in " << small.runs << " runs:\n";
  for (const auto& c : small.choices)
    std::cout << "  " << c.key << " = " << c.value << '\n';
  for (const auto& f : small.faults)
    std::cout << "  " << to_string(f) << '\n';
  std::string with;
  for (const auto& plugin : loaded_plugins())
    with += " --plugin " + plugin;
  if (!file.flush())
    std::cout << "it cannot be written to " << path << '\n';
  else if (options.mode == swarm_mode::failing)
    std::cout << "to reproduce: troupe chaos " << path << " --seeds " << seed << with << std::endl;
  else
    std::cout << "to reproduce: troupe run " << path << with << std::endl;
}

} // namespace

int run_swarm(const swarm_options& options) {
  watch_signals();
  log_only_errors_by_default();
  const auto before = std::chrono::steady_clock::now();
  swarm_hunt hunt{options};
  const auto& sum = hunt.run();
  print_totals("swarm", sum, ", " + std::to_string(sum.refused) + " draws refused",
               std::chrono::steady_clock::now() - before);
  std::size_t told = 0;
  for (const auto& [shape, alike] : sum.classes)
    if (told++ < most_shrunk)
      tell_smallest(options, alike.first, alike.count);
    else
      std::cout << '\n'
                << alike.count << " seeds fail like seed " << alike.first << ": " << shape << '\n';
  if (sum.failed > 0) {
    std::cout << '\n' << sum.failed << " seeds fail, in " << sum.classes.size() << " ways\n";
    return exit_code::failed;
  }
  return end_without_failure();
}

} // namespace troupe
