#include "commands/commands.hpp"
#include "experiments/expectations/experiment_json.hpp"
#include "experiments/expectations/experiment_text.hpp"
#include "experiments/expectations/read_experiment.hpp"
#include "experiments/expectations/results_document.hpp"
#include "experiments/expectations/values_csv.hpp"
#include "experiments/pages/expectation_bands.hpp"
#include "experiments/pages/experiment_page.hpp"
#include "experiments/pages/paper_figures.hpp"
#include "experiments/sweeps/glob.hpp"
#include "report/results/results_directory.hpp"
#include "settings/toml/read.hpp"
#include "support/inputs.hpp"
#include "support/json_output.hpp"
#include "support/output_format.hpp"
#include "support/parallel_runs.hpp"
#include "support/result_files.hpp"
#include "support/run_report.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <span>
#include <sstream>

namespace troupe {

namespace {

namespace fs = std::filesystem;

constexpr const char* experiment_examples = R"(Examples:
  troupe experiment configs/experiments/e1
  troupe experiment configs/experiments/* --jobs 8 --resume
  troupe experiment mine.toml --seeds 2 --only adaptive --format markdown

FILE is an experiment, or a folder with an experiment.toml. DIR receives result.json, report.html,
a page with plots, and, below runs, the results of every run; with several FILEs, a folder in DIR
for each. The exit code is 1 if an expectation is not met. docs/experiments.md describes how to
write an experiment.)";

struct experiment_options {
  std::vector<std::string> files;
  std::vector<std::string> only;
  std::vector<std::string> plugins;
  std::uint64_t seeds = 0;
  output_format format = output_format::table;
  std::string out;
  bool no_report = false;
  parallel_options parallel;
};

bool is_named_by(const planned_run& run, const std::string& pattern) {
  return fits(pattern, run.name) || run.name.starts_with(pattern + "[");
}

bool is_wanted(const planned_run& run, const std::vector<std::string>& only) {
  return only.empty() || std::ranges::any_of(only, [&](const std::string& pattern) {
           return is_named_by(run, pattern);
         });
}

/// Refuses an --only that names no run of any of the experiments.
void check_only(std::span<const experiment> all, const std::vector<std::string>& only) {
  for (const auto& pattern : only) {
    const bool known = std::ranges::any_of(all, [&](const experiment& e) {
      return std::ranges::any_of(e.runs,
                                 [&](const planned_run& run) { return is_named_by(run, pattern); });
    });
    if (known)
      continue;
    std::string names;
    for (const auto& e : all)
      for (const auto& run : e.runs)
        names += (names.empty() ? "" : ", ") + run.name;
    const auto where = all.size() == 1 ? all.front().file.string() + ": " : std::string{};
    throw usage_error{where + "there is no run named '" + pattern + "'; expected one of " + names};
  }
}

experiment read(const std::string& file, const std::vector<std::string>& set) try {
  return read_experiment(
    fs::is_directory(file) ? fs::path{file} / "experiment.toml" : fs::path{file}, set);
} catch (const settings_error& e) {
  throw usage_error{e.what()};
}

/// The directories of experiments, each kept from other processes, by their names.
using held_directories = std::map<std::string, held_directory>;

held_directories hold_directories(const std::vector<experiment>& all,
                                  const experiment_options& options) {
  held_directories held;
  for (const auto& e : all) {
    if (held.contains(e.name))
      continue;
    const auto out = options.out.empty() || options.files.size() == 1
                       ? options.out
                       : (fs::path{options.out} / e.name).string();
    held.emplace(e.name,
                 hold_directory("experiment", out, fs::path{"results"} / "experiments" / e.name));
  }
  return held;
}

/// Removes unwanted runs from `e` and returns their names.
std::vector<std::string> leave_out(experiment& e, const std::vector<std::string>& only) {
  std::vector<std::string> names;
  for (const auto& run : e.runs)
    if (!is_wanted(run, only))
      names.push_back(run.name);
  std::erase_if(e.runs, [&](const planned_run& run) { return !is_wanted(run, only); });
  if (e.runs.empty())
    throw usage_error{e.file.string() + ": there is no run named '" + only.front() + "'"};
  return names;
}

void print(const nlohmann::ordered_json& result, output_format format) {
  if (format == output_format::markdown) {
    std::cout << experiment_markdown(result, notes_for(result));
  } else if (format != output_format::json) {
    std::ostringstream text;
    write_experiment(text, result, terminal_width());
    std::cout << with_verdicts(text.str());
  }
}

/// Writes the page about an experiment, with the plots of its first runs.
void write_experiment_page(const experiment& e, const nlohmann::ordered_json& result,
                           std::span<const run_result> results, const fs::path& directory,
                           const experiment_options& options) {
  auto page = experiment_page(result);
  auto figures = paper_figures(e, results);
  page.figures.insert(page.figures.begin(), figures.begin(), figures.end());
  // A search has a folder for each value that it tried.
  std::vector<run_result> plain;
  for (const auto& run : results)
    if (!run.plan.find && plain.size() < most_lines)
      plain.push_back(run);
  try {
    page.runs = first_seeds(plain, directory / "runs");
    page.bands = expectation_bands(e.expectations, page.runs);
    page.lines = paper_lines(e.paper_lines, page.runs);
    if (!page.lines.empty())
      page.tables.push_back(paper_table(page.lines, page.runs));
    page.runs_about = e.beside;
  } catch (const std::runtime_error& failure) {
    std::cerr << "troupe: the plots are left out: " << failure.what() << std::endl;
  }
  page.runs_note = "The plots show the runs with the first seed";
  page.runs_note += plain.size() < results.size()
                      ? ", the first " + std::to_string(plain.size()) + " of " +
                          std::to_string(results.size()) + " runs."
                      : ".";
  page.command = own_command();
  report_page(directory / results_directory::report_name, page, options.parallel.quiet);
}

/// What has come of experiments.
struct experiments_outcome {
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  bool passed = true;  ///< whether all expectations are met
  bool written = true; ///< whether all files could be written
};

/// Runs one experiment and adds what comes of it to `all`, unless a signal ends it.
void run_experiment(experiment e, const fs::path& directory, const experiment_options& options,
                    experiments_outcome& all) {
  const auto left_out = leave_out(e, options.only);
  for (auto& run : e.runs)
    run.seeds = options.seeds > 0 ? options.seeds : run.seeds;
  if (!options.parallel.quiet)
    std::cerr << e.name << ": " << e.title << std::endl;
  const auto results = run_parallel(e.runs, directory / "runs", options.parallel);
  if (caught_signal() != 0)
    return;
  const auto result = experiment_json(e, results, left_out, "troupe " TROUPE_VERSION);
  const bool written = tell_unwritten([&] {
    write_result(directory, result);
    write_text(directory, "values.csv", values_csv(result));
    write_text(directory, "paper.csv", paper_csv(e, results));
  });
  print(result, options.format);
  all.results.push_back(result);
  all.passed = all.passed && result["passed"].get<bool>();
  all.written = all.written && written;
  if (!options.no_report)
    write_experiment_page(e, result, results, directory, options);
}

int run_experiments(const experiment_options& options) {
  survive_closed_pipes();
  const auto plugins = with_plugins({}, options.plugins);
  std::vector<experiment> all;
  for (const auto& file : options.files)
    all.push_back(read(file, plugins));
  check_only(all, options.only);
  for (auto e : all)
    leave_out(e, options.only); // refuses an experiment that has no runs then
  watch_signals();
  const auto held = hold_directories(all, options);
  experiments_outcome outcome;
  for (auto& e : all) {
    const auto& directory = held.at(e.name).path;
    run_experiment(std::move(e), directory, options, outcome);
    if (caught_signal() != 0) {
      std::cerr << "interrupted; --resume reuses the runs that have finished" << std::endl;
      return 128 + caught_signal();
    }
    if (options.format == output_format::table && &e != &all.back())
      std::cout << '\n';
  }
  if (options.format == output_format::json)
    print_json({{"experiments", std::move(outcome.results)}, {"passed", outcome.passed}});
  return outcome.passed && outcome.written ? exit_code::done : exit_code::failed;
}

} // namespace

void add_experiment_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("experiment", "Run an experiment and check its expectations");
  command->footer(experiment_examples);
  auto options = std::make_shared<experiment_options>();
  command->add_option("FILE", options->files, "Experiments")->required()->type_name("");
  add_seeds_option(*command, options->seeds, "Seeds 1 to N; default: those of the experiment");
  command
    ->add_option("--only", options->only,
                 "Run only these, as in 'name' or 'name[*,5]'; may be repeated")
    ->allow_extra_args(false)
    ->type_name("RUN");
  add_plugin_option(*command, options->plugins);
  constexpr std::array formats{output_format::table, output_format::json, output_format::markdown};
  add_format_option(*command, options->format, formats);
  command
    ->add_option("--out", options->out, "Directory for results; default: results/experiments/NAME")
    ->type_name("DIR");
  command->add_flag("--resume", options->parallel.resume,
                    "Reuse results of this program with the same settings");
  add_report_option(*command, options->no_report);
  add_parallel_options(*command, options->parallel);
  command->callback(
    [&chosen, options] { chosen = [options] { return run_experiments(*options); }; });
}

} // namespace troupe
