#include "commands/commands.hpp"
#include "experiments/expectations/results_document.hpp"
#include "support/json_output.hpp"
#include "support/result_files.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

namespace {

struct results_options {
  std::vector<std::string> directories;
  bool as_json = false;
};

/// As `troupe experiment --json` prints them.
int print_results(const std::vector<nlohmann::ordered_json>& results) {
  const bool passed =
    std::ranges::all_of(results, [](const auto& r) { return r.value("passed", false); });
  print_json({{"passed", passed}, {"experiments", results}});
  return exit_code::done;
}

int print_document(const results_options& options) {
  std::vector<nlohmann::ordered_json> results;
  for (const auto& directory : options.directories)
    results.push_back(read_result(directory));
  if (options.as_json)
    return print_results(results);
  auto text = results_introduction(results);
  for (const auto& result : results)
    text += experiment_markdown(result, notes_for(result), picture_for(result));
  while (text.ends_with("\n\n"))
    text.pop_back();
  std::fputs(text.c_str(), stdout);
  return exit_code::done;
}

} // namespace

void add_results_command(CLI::App& app, action& chosen) {
  auto* command =
    app.add_subcommand("results", "Print results of experiments as one Markdown document");
  command->footer("Examples:\n"
                  "  troupe results results/experiments/* > docs/results.md\n\n"
                  "DIR is the output directory of troupe experiment, with result.json.");
  auto options = std::make_shared<results_options>();
  command->add_option("DIR", options->directories, "Results of experiments")
    ->required()
    ->type_name("");
  add_json_option(*command, options->as_json);
  command->callback(
    [&chosen, options] { chosen = [options] { return print_document(*options); }; });
}

} // namespace troupe
