#include "hunt/swarm.hpp"

#include "commands/commands.hpp"
#include "hunt/seed_hunt.hpp"
#include "hunt/seeds_under_way.hpp"
#include "policies/plugin_library.hpp"
#include "runtime/swarm/shrink.hpp"
#include "support/json_output.hpp"
#include "support/log.hpp"
#include "support/run_report.hpp"
#include "support/signals.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

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
    auto& findings = options_.as_json ? std::cerr : std::cout;
    for_each_seed(options_.seeds, options_.jobs, findings,
                  [this](unsigned worker, std::uint64_t seed) {
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

/// The first failing run of a class, shrunk and written to a file.
struct smallest_run {
  swarm_case small;
  std::string path;
  std::string command; ///< that repeats it; empty: the file cannot be written
};

/// Shrinks the first failing run of a class and writes it; nothing if it passes now.
std::optional<smallest_run> find_smallest(const swarm_options& options, std::uint64_t seed) {
  const auto draw = draw_swarm(seed, options.mode);
  const auto trial = try_run(draw.settings, options.mode);
  if (!trial.failure)
    return std::nullopt;
  const auto most = options.mode == swarm_mode::real ? 20U : 600U;
  std::cerr << "looking for a smaller run that fails like seed " << seed << ", in up to " << most
            << " runs" << std::endl;
  smallest_run found;
  auto& small = found.small;
  small = shrink(draw, options.mode, trial, most, [] { return caught_signal() != 0; });
  auto& path = found.path;
  path = options.directory + "/seed-" + std::to_string(seed) + ".toml";
  std::error_code failure; // then the file cannot be written either
  std::filesystem::create_directories(options.directory, failure);
  std::ofstream file{path};
  file << "# " << small.failure << '\n' << to_toml(small);
  std::string with;
  for (const auto& plugin : loaded_plugins())
    with += " --plugin " + for_shell(plugin);
  if (file.flush())
    found.command =
      options.mode == swarm_mode::failing
        ? "troupe chaos " + for_shell(path) + " --seeds " + std::to_string(seed) + with
        : "troupe run " + for_shell(path) + with;
  return found;
}

/// Prints the smallest run of a class.
void tell_smallest(const swarm_options& options, std::uint64_t seed, std::uint64_t count) {
  const auto found = find_smallest(options, seed);
  if (!found) {
    std::cout << "\nseed " << seed << " passes when it is run again\n";
    return;
  }
  const auto& small = found->small;
  std::cout << '\n'
            << count << " seeds fail like seed " << seed << ": " << small.failure
            << "\nsmallest run, found in " << small.runs << " runs:\n";
  for (const auto& c : small.choices)
    std::cout << "  " << c.key << " = " << c.value << '\n';
  for (const auto& f : small.faults)
    std::cout << "  " << to_string(f) << '\n';
  if (found->command.empty())
    std::cout << "it cannot be written to " << found->path << '\n';
  else
    std::cout << "to reproduce: " << found->command << std::endl;
}

json smallest_json(const std::optional<smallest_run>& found) {
  if (!found)
    return nullptr;
  auto set = json::object();
  for (const auto& c : found->small.choices)
    set[c.key] = c.value;
  auto failures = json::array();
  for (const auto& f : found->small.faults)
    failures.push_back(to_string(f));
  return {
    {"failure", found->small.failure}, {"runs", found->small.runs}, {"set", std::move(set)},
    {"failures", std::move(failures)}, {"file", found->path},       {"command", found->command}};
}

int print_swarm_json(const swarm_options& options, const swarm_totals& sum,
                     std::chrono::duration<double> took) {
  auto all = totals_json("swarm", sum, took);
  all["refused"] = sum.refused;
  all["ways"] = json::array();
  std::size_t told = 0;
  for (const auto& [shape, alike] : sum.classes)
    all["ways"].push_back(
      {{"failure", shape},
       {"seeds", alike.count},
       {"first_seed", alike.first},
       {"smallest", told++ < most_shrunk ? smallest_json(find_smallest(options, alike.first))
                                         : json(nullptr)}});
  print_json(all);
  return sum.failed > 0         ? exit_code::failed
         : caught_signal() != 0 ? 128 + caught_signal()
                                : exit_code::done;
}

/// Refuses a directory for temporary files in which the files that runs read cannot be written.
void check_temporary() {
  namespace fs = std::filesystem;
  std::error_code failure;
  auto directory = fs::temp_directory_path(failure);
  if (!failure) {
    const auto tried = directory / ("troupe-swarm-" + std::to_string(::getpid()));
    fs::create_directory(tried, failure);
    std::error_code none;
    fs::remove(tried, none);
  }
  if (failure)
    throw usage_error{"chaos: --swarm writes files to the directory for temporary files, but: " +
                      failure.message() +
                      "; expected TMPDIR to name a directory where you may write"};
}

} // namespace

int run_swarm(const swarm_options& options) {
  check_temporary();
  watch_signals();
  log_only_errors_by_default();
  const auto before = std::chrono::steady_clock::now();
  swarm_hunt hunt{options};
  const auto& sum = hunt.run();
  const auto took = std::chrono::steady_clock::now() - before;
  if (options.as_json)
    return print_swarm_json(options, sum, took);
  print_totals("swarm", sum, ", " + std::to_string(sum.refused) + " draws refused", took);
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
