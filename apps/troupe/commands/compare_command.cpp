#include "commands/commands.hpp"
#include "experiments/compare/comparison_json.hpp"
#include "experiments/compare/default_metrics.hpp"
#include "report/results/results_directory.hpp"
#include "settings/toml/read.hpp"
#include "support/inputs.hpp"
#include "support/json_output.hpp"
#include "support/output_format.hpp"
#include "support/parallel_runs.hpp"
#include "support/result_files.hpp"
#include "support/run_report.hpp"
#include "support/signals.hpp"
#include "support/temporary_directory.hpp"
#include "support/terminal.hpp"
#include "support/variation_options.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

namespace troupe {

namespace {

constexpr const char* compare_examples = R"(Examples:
  troupe compare a.toml b.toml
  troupe compare a.toml b.toml c.toml --seeds 10 --set cluster.machines=500 --format markdown
  troupe compare a.toml b.toml --metric quality.mean --metric phases.2.scheduling_delay_s.p99

Each configuration runs with seeds 1 to N. A value is the mean over the seeds, with half the width
of its 95 % confidence interval. A second table has the differences to the first configuration,
paired by seed; a * marks those whose interval excludes 0. A metric is a path in summary.json, or an
expression over {path}. A page with plots of seed 1 and both tables is written to DIR/report.html;
without --out, to results/compare/NAMES/report.html.)";

constexpr std::size_t longest_name = 100; ///< of a directory

struct compare_options {
  std::vector<std::string> files;
  std::vector<std::string> set;
  std::vector<std::string> plugins;
  std::vector<std::string> metrics;
  std::uint64_t seeds = 5;
  output_format format = output_format::table;
  std::string out;
  bool no_report = false;
  parallel_options parallel;
};

std::vector<planned_run> plans_of(const compare_options& options) try {
  refuse_seed("compare", options.set);
  for (const auto& file : options.files)
    read_input({file, options.set, options.plugins});
  auto plans =
    comparison_plans(options.files, with_plugins(options.set, options.plugins), options.seeds);
  for (const auto& metric : options.metrics)
    check_value(plans, "compare: --metric " + metric, metric_expression(metric));
  return plans;
} catch (const settings_error& e) {
  throw usage_error{e.what()};
} catch (const std::invalid_argument& e) {
  throw usage_error{e.what()};
}

void print_lines(const std::vector<std::string>& lines) {
  for (const auto& line : lines)
    std::cout << '\n' << in_lines(line);
}

void print(const comparison& c, output_format format) {
  if (format == output_format::json) {
    print_json(comparison_json(c));
  } else if (format == output_format::csv) {
    std::cout << comparison_list(c).to_csv();
  } else {
    const bool markdown = format == output_format::markdown;
    const auto write = [&](const value_table& table) {
      std::cout << (markdown ? table.to_markdown() : table.to_plain(terminal_width()));
    };
    write(comparison_table(c));
    if (c.names.size() > 1) {
      std::cout << '\n' << in_lines(differences_title(c)) << '\n';
      write(comparison_differences(c));
    }
    print_lines(c.remarks);
    print_lines(c.problems);
  }
}

bool depends_on_host(const comparison::row& row) {
  return row.value.find("host.") != std::string::npos;
}

/// Returns the name of a run or, where runs have the same name and are told apart by their files,
/// that of its file.
std::string name_for_page(const std::string& run, const std::string& file) {
  if (!run.starts_with(file))
    return run;
  const std::filesystem::path path{file};
  return (path.extension() == ".toml" ? path.stem() : path.filename()).string();
}

/// Returns the file for the page: in the directory of the runs or, if that is temporary, in
/// results/compare, named by the configurations.
std::filesystem::path page_file(const comparison& c, const compare_options& options) {
  if (!options.out.empty())
    return std::filesystem::path{options.out} / results_directory::report_name;
  std::string name;
  for (std::size_t i = 0; i < c.names.size(); ++i)
    name += (i == 0 ? "" : "-") + name_for_page(c.names[i], c.files[i]);
  return std::filesystem::path{"results/compare"} / name.substr(0, longest_name) /
         results_directory::report_name;
}

void write_comparison_page(const comparison& c, std::span<const run_result> results,
                           const std::filesystem::path& directory, const compare_options& options) {
  auto plain = c;
  auto of_host = c;
  std::erase_if(plain.rows, depends_on_host);
  std::erase_if(of_host.rows, [](const auto& row) { return !depends_on_host(row); });
  page_contents page;
  for (const auto& name : c.names)
    page.title += (page.title.empty() ? "" : " / ") + name;
  try {
    page.runs = first_seeds(results, directory);
  } catch (const std::runtime_error& e) {
    std::cerr << "troupe: the plots are left out: " << e.what() << std::endl;
  }
  if (c.seeds > 1)
    page.runs_note = "The plots show the runs with seed 1; the tables under Results are over " +
                     std::to_string(c.seeds) + " seeds.";
  page.tables.push_back(page_table(comparison_table(plain),
                                   "Means over the seeds, with half the width of the 95 % "
                                   "confidence interval"));
  if (c.names.size() > 1)
    page.tables.push_back(page_table(comparison_differences(plain), differences_title(c)));
  for (const auto* lines : {&c.remarks, &c.problems})
    for (const auto& line : *lines)
      page.notes.push_back(line);
  if (!of_host.rows.empty())
    page.host = page_table(comparison_table(of_host), "Over all seeds");
  page.command = own_command();
  report_page(page_file(c, options), page, options.parallel.quiet);
}

int compare_configurations(const compare_options& options) {
  survive_closed_pipes();
  auto plans = plans_of(options);
  std::optional<temporary_directory> temporary;
  std::optional<held_directory> held;
  if (!options.out.empty())
    held.emplace(hold_directory("compare", options.out, {}));
  const auto directory = held ? held->path : temporary.emplace().path();
  const auto results = run_parallel(plans, directory, options.parallel);
  if (caught_signal() != 0)
    return 128 + caught_signal();
  const auto c = compare(results, options.metrics);
  print(c, options.format);
  if (!options.no_report)
    write_comparison_page(c, results, directory, options);
  return c.problems.empty() ? exit_code::done : exit_code::failed;
}

} // namespace

void add_compare_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("compare", "Run several configurations and compare them");
  command->footer(compare_examples);
  auto options = std::make_shared<compare_options>();
  command->add_option("CONFIG", options->files, "Files of settings, in TOML")
    ->required()
    ->type_name("");
  command->add_option("--set", options->set, "Override one setting in all of them; may be repeated")
    ->allow_extra_args(false)
    ->type_name("KEY=VALUE");
  add_plugin_option(*command, options->plugins);
  add_seeds_option(*command, options->seeds, "Seeds 1 to N; default: 5");
  command
    ->add_option("--metric", options->metrics,
                 "Show this metric, not the defaults; may be repeated")
    ->allow_extra_args(false)
    ->type_name("PATH");
  constexpr std::array formats{output_format::table, output_format::json, output_format::csv,
                               output_format::markdown};
  add_format_option(*command, options->format, formats);
  command->add_option("--out", options->out, "Keep the results of all runs below DIR")
    ->type_name("DIR");
  add_report_option(*command, options->no_report);
  add_parallel_options(*command, options->parallel);
  command->callback(
    [&chosen, options] { chosen = [options] { return compare_configurations(*options); }; });
}

} // namespace troupe
