#include "support/parallel_runs.hpp"

#include "experiments/processes/limits.hpp"
#include "experiments/processes/process_launcher.hpp"
#include "experiments/processes/run_progress_line.hpp"
#include "experiments/sweeps/bisection.hpp"
#include "policies/plugin_library.hpp"
#include "report/text/text.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

namespace troupe {

namespace {

std::size_t jobs_of(const parallel_options& options) {
  return options.jobs > 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
}

class silent_monitor final : public execution_monitor {
public:
  void progress(const execution_progress&) override {}
  void failed(const std::string& text) override { std::cerr << text << std::endl; }
};

/// Says before the runs how many there are. How long they take is known once one of them is done.
void announce(std::span<const planned_run> plans, std::size_t jobs) {
  std::uint64_t runs = 0;
  bool searches = false;
  for (const auto& plan : plans) {
    std::uint64_t values = 1;
    if (const auto& find = plan.find) {
      searches = true;
      values = static_cast<std::uint64_t>(bisection(find->from, find->to, find->step).steps_left());
    }
    runs += plan.seeds * values;
  }
  std::cerr << (searches ? "about " : "") << count_text(runs) << (runs == 1 ? " run" : " runs");
  if (runs > 1)
    std::cerr << ", " << std::min<std::uint64_t>(jobs, runs) << " at a time";
  std::cerr << std::endl;
}

} // namespace

void add_parallel_options(CLI::App& command, parallel_options& options) {
  command.add_option("--jobs,-j", options.jobs, "Runs at a time; default: one for each core")
    ->check(CLI::Range(1, 10'000).description(""))
    ->type_name("N");
  command.add_flag("--quiet,-q", options.quiet, "Show no progress");
}

void add_seeds_option(CLI::App& command, std::uint64_t& seeds, const std::string& meaning) {
  command.add_option("--seeds", seeds, meaning)
    ->check(CLI::Range(std::uint64_t{1}, static_cast<std::uint64_t>(max_seeds)).description(""))
    ->type_name("N");
}

std::vector<run_result> run_parallel(std::span<const planned_run> plans,
                                     const std::filesystem::path& directory,
                                     const parallel_options& options) {
  watch_signals();
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  auto identity = identity_of_program(program);
  for (const auto& plugin : loaded_plugins())
    identity += '+' + identity_of_program(plugin);
  process_launcher launcher({.program = program,
                             .store = run_store(directory, std::move(identity)),
                             .resume = options.resume,
                             .stop = [] { return caught_signal() != 0; }});
  using clock = std::chrono::steady_clock;
  const auto seconds = [start = clock::now()] {
    return std::chrono::duration<double>(clock::now() - start).count();
  };
  if (options.quiet) {
    silent_monitor monitor;
    return execute(plans, jobs_of(options), launcher, monitor);
  }
  announce(plans, jobs_of(options));
  execution_printer monitor(std::cerr, progress_on_stderr(), seconds, options.steps);
  auto results = execute(plans, jobs_of(options), launcher, monitor);
  monitor.finish();
  if (launcher.reused() > 0)
    std::cerr << launcher.reused() << " runs were done before" << std::endl;
  return results;
}

} // namespace troupe
