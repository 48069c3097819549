#include "commands/commands.hpp"
#include "hunt/chaos_page.hpp"
#include "hunt/seed_hunt.hpp"
#include "hunt/swarm.hpp"
#include "model/base/clock_text.hpp"
#include "report/results/results_directory.hpp"
#include "runtime/faults/chaos.hpp"
#include "support/inputs.hpp"
#include "support/json_output.hpp"
#include "support/run_report.hpp"
#include "support/run_watchdog.hpp"
#include "support/signals.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <mutex>

namespace troupe {

namespace {

constexpr const char* chaos_examples = R"(Examples:
  troupe chaos configs/chaos/parsync.toml
  troupe chaos configs/chaos/parsync.toml --seeds 1..100 --jobs 2
  troupe chaos configs/chaos/parsync.toml --seeds 17 --events 40
  troupe chaos configs/chaos/parsync.toml --plugin build/mine.so --set scheduler.actor=mine
  troupe chaos --swarm --seeds 1..10000 --jobs 2

Each seed is one run in virtual time with its own random failures: members die, freeze and come
back; links are cut, lose messages and delay them. All invariants are checked after every event.
[chaos] in CONFIG sets what may fail, and how often. If a seed fails, the first such seed is run
again with details, which are also written to results/chaos/NAME-SEED/report.html, and the exit
code is 1.

With --swarm each seed also draws its own small cluster: the architecture and all settings that
change behaviour, and with --plugin the schedulers of the plugin. --calm runs without failures;
--real does so in real time, for a second each. Failures of the same kind are counted as one; for
each kind, a run is reduced as far as possible and written to a file.)";

constexpr std::uint64_t most_told = 20; ///< failing seeds, a line for each

/// The time for running seeds to end after a signal; seeds that end at all take less.
constexpr std::chrono::milliseconds patience_with_a_seed{900};

struct chaos_options {
  settings_input input;
  std::string seeds = "1..100";
  unsigned jobs = 1;
  std::size_t events = 20;
  bool swarm = false;
  bool calm = false;
  bool real = false;
  bool no_report = false;
  std::string out = "results/swarm";
  bool as_json = false;
};

/// A seed that fails.
struct failing_seed {
  std::uint64_t seed = 0;
  double at_s = 0; ///< of the first violation
  std::string violation;
};

struct chaos_totals : hunt_totals {
  std::vector<failing_seed> failing; ///< the first that were found
  std::uint64_t first_failed = ~std::uint64_t{0};
};

chaos_totals run_all(const run_settings& settings, const seed_range& range, unsigned jobs,
                     std::ostream& findings) {
  chaos_totals sum;
  std::mutex mutex;
  for_each_seed(range, jobs, findings, [&](unsigned, std::uint64_t seed) -> std::string {
    auto with = settings;
    with.seed = seed;
    const auto outcome = run_chaos(with);
    const std::lock_guard lock{mutex};
    sum.add(outcome);
    if (!outcome.violation)
      return {};
    sum.first_failed = std::min(sum.first_failed, seed);
    if (++sum.failed > most_told)
      return {};
    sum.failing.push_back({seed, to_seconds(outcome.ended), *outcome.violation});
    if (sum.failed == most_told)
      return "further ones are only counted";
    return fmt::format("seed {} fails at {}: {}", seed, clock_text(outcome.ended),
                       *outcome.violation);
  });
  return sum;
}

std::string command_for(const chaos_options& options, std::uint64_t seed) {
  auto text = "troupe chaos " + for_shell(options.input.file) + " --seeds " + std::to_string(seed);
  for (const auto& o : options.input.overrides)
    text += " --set " + for_shell(o);
  for (const auto& path : options.input.plugins)
    text += " --plugin " + for_shell(path);
  return text;
}

void tell(const chaos_options& options, run_settings settings, std::uint64_t seed) {
  settings.seed = seed;
  const auto outcome = run_chaos(settings, options.events);
  std::cout << "\nseed " << seed << ": " << outcome.violation.value_or("passes")
            << "\n\nfailures:\n";
  for (const auto& f : outcome.faults)
    std::cout << "  " << to_string(f) << '\n';
  std::cout << "\nthe last " << outcome.last_events.size() << " events before:\n";
  for (const auto& e : outcome.last_events)
    std::cout << "  " << e << '\n';
  const auto command = command_for(options, seed);
  std::cout << "\nto reproduce: " << command << '\n';
  if (options.no_report)
    return;
  const auto directory =
    std::filesystem::path{"results/chaos"} / (settings.name + "-" + std::to_string(seed));
  report_page(directory / results_directory::report_name,
              chaos_page(outcome, settings.name, command), false);
}

/// Runs a failing seed again and returns it with its failures and its last events.
nlohmann::ordered_json details_json(const chaos_options& options, run_settings settings,
                                    std::uint64_t seed) {
  settings.seed = seed;
  const auto outcome = run_chaos(settings, options.events);
  auto failures = nlohmann::ordered_json::array();
  for (const auto& f : outcome.faults)
    failures.push_back(to_string(f));
  return {{"seed", seed},
          {"violation", outcome.violation ? nlohmann::ordered_json(*outcome.violation)
                                          : nlohmann::ordered_json(nullptr)},
          {"failures", std::move(failures)},
          {"last_events", outcome.last_events},
          {"command", command_for(options, seed)}};
}

int print_chaos_json(const chaos_options& options, const run_settings& settings,
                     const chaos_totals& sum, std::chrono::duration<double> took) {
  auto all = totals_json(settings.name, sum, took);
  all["failing"] = nlohmann::ordered_json::array();
  for (const auto& f : sum.failing)
    all["failing"].push_back({{"seed", f.seed}, {"at_s", f.at_s}, {"violation", f.violation}});
  all["first"] = sum.failed > 0 ? details_json(options, settings, sum.first_failed)
                                : nlohmann::ordered_json(nullptr);
  print_json(all);
  return sum.failed > 0         ? exit_code::failed
         : caught_signal() != 0 ? 128 + caught_signal()
                                : exit_code::done;
}

int execute_swarm(const chaos_options& options) {
  load_plugins(options.input.plugins);
  swarm_options swarm;
  read_seeds(options.seeds, swarm.seeds);
  swarm.mode = options.real   ? swarm_mode::real
               : options.calm ? swarm_mode::calm
                              : swarm_mode::failing;
  swarm.jobs = options.jobs;
  swarm.directory = options.out;
  swarm.as_json = options.as_json;
  return run_swarm(swarm);
}

int execute(const chaos_options& options) {
  if (options.swarm)
    return execute_swarm(options);
  if (options.input.file.empty())
    throw usage_error{"CONFIG is missing; expected the settings of a cluster, or --swarm"};
  auto settings = read_input(options.input);
  if (settings.clock != clock_kind::virtual_time)
    throw usage_error{options.input.file + ": failures take virtual time: clock = \"virtual\""};
  if (const auto why = why_no_chaos(settings); !why.empty())
    throw usage_error{options.input.file + ": " + why};
  seed_range range;
  read_seeds(options.seeds, range);
  watch_signals();
  const auto before = std::chrono::steady_clock::now();
  const auto sum = [&] {
    run_watchdog watchdog{patience_with_a_seed};
    watchdog.watch([] { return "within a seed"; });
    return run_all(settings, range, options.jobs, options.as_json ? std::cerr : std::cout);
  }();
  const auto took = std::chrono::steady_clock::now() - before;
  if (options.as_json)
    return print_chaos_json(options, settings, sum, took);
  print_totals(settings.name, sum, "", took);
  if (sum.failed > 0) {
    std::cout << sum.failed << " seeds fail\n";
    tell(options, settings, sum.first_failed);
    return exit_code::failed;
  }
  return end_without_failure();
}

} // namespace

void add_chaos_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("chaos", "Search for defects with random failures, by seed");
  command->footer(chaos_examples);
  auto options = std::make_shared<chaos_options>();
  add_settings_options(*command, options->input);
  auto* swarm = command->add_flag("--swarm", options->swarm, "Draw a cluster for each seed");
  swarm->excludes("CONFIG")->excludes("--set");
  command->add_flag("--calm", options->calm, "With --swarm: without failures")->needs(swarm);
  command->add_flag("--real", options->real, "With --swarm: in real time, without failures")
    ->needs(swarm)
    ->excludes("--calm");
  command->add_option("--out", options->out, "With --swarm: directory for reduced failing runs")
    ->needs(swarm)
    ->capture_default_str()
    ->type_name("DIR");
  command->add_option("--seeds", options->seeds, "Seeds to run, as in 1..1000 or 17")
    ->check(check_seeds)
    ->capture_default_str()
    ->type_name("A..B");
  add_report_option(*command, options->no_report);
  command->add_option("--jobs,-j", options->jobs, "Runs at a time")
    ->check(CLI::Range(1, 256))
    ->capture_default_str()
    ->type_name("N");
  command->add_option("--events", options->events, "Events to print that precede the failure")
    ->check(CLI::Range(0, 1000000))
    ->capture_default_str()
    ->type_name("N");
  add_json_option(*command, options->as_json);
  command->callback([&chosen, options] { chosen = [options] { return execute(*options); }; });
}

} // namespace troupe
