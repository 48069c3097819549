#include "commands/commands.hpp"
#include "experiments/pages/find_page.hpp"
#include "experiments/processes/run_store.hpp"
#include "experiments/sweeps/goal.hpp"
#include "experiments/sweeps/search_report.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "report/results/results_directory.hpp"
#include "support/json_output.hpp"
#include "support/parallel_runs.hpp"
#include "support/result_files.hpp"
#include "support/run_report.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"
#include "support/variation_options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace troupe {

namespace {

constexpr const char* find_examples = R"(Examples:
  troupe find mine.toml --vary cluster.machines=20000..40000 --until 'scheduling_delay_s.p99 <= 1.5'
  troupe find mine.toml --vary sync.gap=5s..10s --tolerance 100ms --until 'conflict_fraction > 0.2'
  troupe find mine.toml --vary cluster.machines=2000..4000 --vary architecture=parsync,statesync \
      --until 'scheduling_delay_s.mean <= 0.1' --until 'scheduling_delay_s.mean <= 0.5'

One --vary gives a range. The least value in it that meets the goal is found by bisection, so if a
value meets the goal, all greater ones must. Each other --vary gives values, each with its own
search. A goal is a comparison over paths in summary.json, each the mean over the seeds. A value
is undecided if the 95 % confidence interval of the difference includes 0. The exit code is 1 if
nothing is found. DIR receives found.csv, found.json, found.md, report.html, a page with figures,
and, below runs, the results of every run. After an interruption, the same command continues
where it stopped.)";

constexpr std::uint64_t usual_seeds = 3;
constexpr std::int64_t usual_steps = 1000; ///< in the range of a number that is not whole
constexpr const char* finest = "0.001";

struct find_options {
  variation_options common;
  std::vector<std::string> goals;
  std::string tolerance;
  bool no_report = false;
  parallel_options parallel;
};

struct prepared_search {
  std::string name;
  /// For each goal, a search per combination; all use the same folders, so runs are shared.
  std::vector<std::vector<planned_run>> plans;
};

/// Returns the greatest of 1, 2, 5, 10, 20, ... that is not more than `n`; 1 for less.
std::int64_t rounded_down(std::int64_t n) {
  std::int64_t power = 1;
  while (n / 10 >= power)
    power *= 10;
  for (const std::int64_t digit : {5, 2})
    if (n >= digit * power)
      return digit * power;
  return power;
}

/// Returns the setting to search for and its range, if `text` is KEY=FROM..TO.
std::optional<search_plan> searched(const std::string& text, const std::string& tolerance) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return std::nullopt;
  auto range = parse_range(std::string_view{text}.substr(equals + 1));
  if (!range)
    return std::nullopt;
  if (!tolerance.empty())
    range->step = parse_distance(tolerance, *range);
  const bool whole = range->scale.decimals == 0 && !range->scale.durations;
  if (!range->step && !whole && !range->scale.durations)
    parse_distance(finest, *range);
  const auto width = range->to - range->from;
  const auto step = range->step.value_or(whole ? 1 : rounded_down(width / usual_steps));
  return search_plan{.set = text.substr(0, equals),
                     .from = range->from,
                     .to = range->to,
                     .step = step,
                     .goal = "",
                     .scale = range->scale,
                     .verified = true};
}

std::string checked_goal(const std::string& text) {
  auto goal = with_braces(text);
  if (const auto fault = fault_of_goal(goal); !fault.empty())
    throw usage_error{"find: --until '" + text + "': " + fault};
  return goal;
}

prepared_search prepare(const find_options& options) try {
  const auto& common = options.common;
  refuse_seed("find", common.set);
  prepared_search s{base_settings(common).name, {}};
  std::optional<search_plan> search;
  std::vector<varied_setting> others;
  for (const auto& text : common.vary) {
    auto plan = searched(text, options.tolerance);
    if (plan && search)
      throw usage_error{"find: --vary " + text + ": " + search->set +
                        " has a range already; expected values with commas between them"};
    if (plan)
      search = std::move(plan);
    else
      others.push_back(parse_varied_setting(text));
  }
  if (!search)
    throw usage_error{"find: no range to search; expected --vary KEY=FROM..TO"};
  for (const auto& other : others)
    if (other.key == search->set)
      throw usage_error{"find: " + search->set + ": it varies twice; expected its range only"};
  others = varied_together({}, others);
  varied_together({{search->set, {}}}, {});
  for (const auto& text : options.goals) {
    search->goal = checked_goal(text);
    planned_run base{s.name, common.file, common.set, common.seeds > 0 ? common.seeds : usual_seeds,
                     search};
    s.plans.push_back(sweep_plans(base, others));
  }
  check_plans(s.plans.front());
  for (std::size_t g = 0; g < s.plans.size(); ++g)
    check_value(s.plans[g], "find: --until '" + options.goals[g] + '\'',
                s.plans[g].front().find->goal);
  return s;
} catch (const std::invalid_argument& e) {
  throw usage_error{std::string{"find: "} + e.what()};
}

void write_search(std::ostream& out, const run_result& search) {
  out << in_lines(search.plan.name + ", until " + search.plan.find->goal)
      << steps_table(search).to_plain(terminal_width())
      << in_lines(search.plan.name + ": " + outcome_text(search));
  for (const auto& text : contradictions(search))
    out << in_lines("Warning: " + text + "; the value found may not be the least.");
  out << '\n';
}

void print(std::span<const run_result> searches, output_format format) {
  if (format == output_format::json) {
    print_json(searches_json(searches));
  } else if (format == output_format::csv) {
    std::cout << searches_table(searches).to_csv();
  } else if (format == output_format::markdown) {
    std::cout << searches_table(searches).to_markdown();
  } else {
    for (const auto& search : searches)
      write_search(std::cout, search);
    if (searches.size() > 1)
      std::cout << searches_table(searches).to_plain(terminal_width(), 3);
  }
}

int find(find_options& options) {
  survive_closed_pipes();
  const auto prepared = prepare(options);
  const auto held = results_of(options.common, "find", prepared.name);
  const auto& directory = held.path;
  if (options.common.fresh)
    forget_runs(directory / "runs");
  options.parallel.resume = true; // goals share runs
  std::vector<run_result> searches;
  for (const auto& plans : prepared.plans) {
    if (!options.parallel.quiet)
      std::cerr << "until " << plans.front().find->goal << std::endl;
    auto results = run_parallel(plans, directory / "runs", options.parallel);
    if (caught_signal() != 0)
      return end_interrupted();
    std::ranges::move(results, std::back_inserter(searches));
  }
  const bool written = tell_unwritten([&] {
    write_text(directory, "found.csv", searches_table(searches).to_csv());
    write_text(directory, "found.json", searches_json(searches).dump(2) + '\n');
    write_text(directory, "found.md", searches_table(searches).to_markdown());
  });
  print(searches, options.common.format);
  if (!options.no_report) {
    auto page = find_page(searches, prepared.name);
    page.command = own_command();
    report_page(directory / results_directory::report_name, page, options.parallel.quiet);
  }
  if (written && !options.parallel.quiet)
    std::cerr << "results in " << directory.string() << std::endl;
  const bool done = std::ranges::all_of(
    searches, [](const run_result& r) { return r.found.has_value() && r.problems.empty(); });
  return written && done ? exit_code::done : exit_code::failed;
}

} // namespace

void add_find_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("find", "Find the least value of a setting that meets a goal");
  command->footer(find_examples);
  auto options = std::make_shared<find_options>();
  add_variation_options(*command, options->common,
                        "Range to search, FROM..TO[/STEP]; further ones: lists of values",
                        "Seeds 1 to N; default: 3");
  command
    ->add_option("--until", options->goals, "The goal; may be repeated, each with its own search")
    ->required()
    ->allow_extra_args(false)
    ->type_name("GOAL");
  command
    ->add_option("--tolerance", options->tolerance,
                 "Precision of the result; default: 1, or 1/1000 of the range")
    ->type_name("STEP");
  command
    ->add_option("--out", options->common.out, "Directory for results; default: results/find/NAME")
    ->type_name("DIR");
  options->parallel.steps = true;
  add_report_option(*command, options->no_report);
  add_parallel_options(*command, options->parallel);
  command->callback([&chosen, options] { chosen = [options] { return find(*options); }; });
}

} // namespace troupe
