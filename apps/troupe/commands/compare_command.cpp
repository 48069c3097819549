#include "commands/commands.hpp"
#include "experiments/compare/comparison_json.hpp"
#include "experiments/compare/default_metrics.hpp"
#include "settings/toml/read.hpp"
#include "support/inputs.hpp"
#include "support/json_output.hpp"
#include "support/output_format.hpp"
#include "support/parallel_runs.hpp"
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
expression over {path}.)";

struct compare_options {
  std::vector<std::string> files;
  std::vector<std::string> set;
  std::vector<std::string> plugins;
  std::vector<std::string> metrics;
  std::uint64_t seeds = 5;
  output_format format = output_format::table;
  std::string out;
  batch_options batch;
};

std::vector<planned_run> plans_of(const compare_options& options) try {
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

int compare_configurations(const compare_options& options) {
  auto plans = plans_of(options);
  std::optional<temporary_directory> temporary;
  const auto directory =
    options.out.empty() ? temporary.emplace().path() : std::filesystem::path{options.out};
  const auto results = run_batch(plans, directory, options.batch);
  if (caught_signal() != 0)
    return 128 + caught_signal();
  const auto c = compare(results, options.metrics);
  print(c, options.format);
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
  add_batch_options(*command, options->batch);
  command->callback(
    [&chosen, options] { chosen = [options] { return compare_configurations(*options); }; });
}

} // namespace troupe
