#include "commands/commands.hpp"
#include "experiments/pages/sweep_page.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "report/results/results_directory.hpp"
#include "settings/schema/sweep_settings.hpp"
#include "settings/toml/read.hpp"
#include "support/json_output.hpp"
#include "support/parallel_runs.hpp"
#include "support/result_files.hpp"
#include "support/run_report.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"
#include "support/variation_options.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <stdexcept>

namespace troupe {

namespace {

constexpr const char* sweep_examples = R"(Examples:
  troupe sweep configs/quickstart.toml --vary sync.gap=500ms,1s,2s --vary schedulers=5..20/5
  troupe sweep mine.toml --vary cluster.machines=1000..2000/250 --seeds 10 --jobs 2
  troupe sweep mine.toml --vary scheduler.policy=adaptive,latency-first --metrics quality.mean

Every combination runs with seeds 1 to N. VALUES are separated by commas; FROM..TO/STEP is a
range of values. The table [sweep] of CONFIG may set all of this too. DIR receives sweep.csv,
sweep.json, sweep.md and report.html, a page with figures, and, below runs, the results of
every run. After an interruption, the same
command continues where it stopped.)";

struct sweep_options {
  variation_options common;
  std::vector<std::string> metrics;
  bool no_report = false;
  parallel_options parallel;
};

struct prepared_sweep {
  std::string name;
  std::vector<varied_setting> vary;
  std::vector<value_column> metrics;
  std::vector<planned_run> plans;
};

/// Merges the table [sweep] and the command line. Throws `usage_error`.
prepared_sweep prepare(sweep_options& options) try {
  const auto& common = options.common;
  refuse_seed("sweep", common.set);
  const auto settings = base_settings(common);
  const auto table = read_sweep_settings(common.file, common.set);
  std::vector<varied_setting> more;
  for (const auto& text : common.vary)
    more.push_back(parse_varied_setting(text));
  prepared_sweep s{settings.name, varied_together(table.vary, more), {}, {}};
  if (s.vary.empty())
    throw usage_error{"sweep: no setting varies; expected --vary KEY=A,B,C or [sweep] in " +
                      common.file};
  std::vector<std::string> metrics;
  for (const auto& text : options.metrics)
    for (const auto& part : split_at_commas(text))
      metrics.push_back(part);
  s.metrics = sweep_metrics(metrics.empty() ? table.metrics : metrics);
  const auto seeds = common.seeds > 0 ? common.seeds : table.seeds;
  s.plans =
    sweep_plans({.name = s.name, .config = common.file, .set = common.set, .seeds = seeds}, s.vary);
  check_plans(s.plans);
  for (const auto& metric : s.metrics)
    check_value(s.plans, "sweep: --metrics " + metric.label, metric.value);
  options.parallel.jobs = options.parallel.jobs > 0 ? options.parallel.jobs : table.jobs;
  return s;
} catch (const settings_error& e) {
  throw usage_error{e.what()};
} catch (const std::invalid_argument& e) {
  throw usage_error{std::string{"sweep: "} + e.what()};
}

void print(const sweep_table& t, output_format format) {
  if (format == output_format::json)
    print_json(sweep_json(t));
  else if (format == output_format::csv)
    std::cout << sweep_csv(t).to_csv();
  else if (format == output_format::markdown)
    std::cout << sweep_text(t).to_markdown();
  else
    std::cout << sweep_text(t).to_plain(terminal_width(), t.keys.size());
}

int sweep(sweep_options& options) {
  survive_closed_pipes();
  const auto prepared = prepare(options);
  const auto held = results_of(options.common, "sweep", prepared.name);
  const auto& directory = held.path;
  options.parallel.resume = !options.common.fresh;
  const auto results = run_parallel(prepared.plans, directory / "runs", options.parallel);
  if (caught_signal() != 0)
    return end_interrupted();
  const auto table = sweep_table_of(results, prepared.vary, prepared.metrics);
  const bool written = tell_unwritten([&] {
    write_text(directory, "sweep.csv", sweep_csv(table).to_csv());
    write_text(directory, "sweep.json", sweep_json(table).dump(2) + '\n');
    write_text(directory, "sweep.md", sweep_text(table).to_markdown());
  });
  print(table, options.common.format);
  if (!options.no_report) {
    auto page = sweep_page(table, prepared.name);
    page.command = own_command();
    report_page(directory / results_directory::report_name, page, options.parallel.quiet);
  }
  if (written && !options.parallel.quiet)
    std::cerr << "results in " << directory.string() << std::endl;
  for (const auto& problem : table.problems)
    std::cerr << problem << std::endl;
  return written && table.problems.empty() ? exit_code::done : exit_code::failed;
}

} // namespace

void add_sweep_command(CLI::App& app, action& chosen) {
  auto* command =
    app.add_subcommand("sweep", "Run all combinations of settings and make one table");
  command->footer(sweep_examples);
  auto options = std::make_shared<sweep_options>();
  add_variation_options(*command, options->common, "Values of one setting; may be repeated",
                        "Seeds 1 to N; default: 5");
  command
    ->add_option("--metrics,--metric", options->metrics,
                 "Metrics as columns, comma-separated; may be repeated")
    ->allow_extra_args(false)
    ->type_name("PATHS");
  command
    ->add_option("--out", options->common.out, "Directory for results; default: results/sweep/NAME")
    ->type_name("DIR");
  add_report_option(*command, options->no_report);
  add_parallel_options(*command, options->parallel);
  command->callback([&chosen, options] { chosen = [options] { return sweep(*options); }; });
}

} // namespace troupe
