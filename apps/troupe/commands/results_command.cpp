#include "commands/commands.hpp"
#include "experiments/expectations/results_document.hpp"
#include "support/result_files.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

namespace {

int print_document(const std::vector<std::string>& directories) {
  std::vector<nlohmann::ordered_json> results;
  for (const auto& directory : directories)
    results.push_back(read_result(directory));
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
  auto directories = std::make_shared<std::vector<std::string>>();
  command->add_option("DIR", *directories, "Results of experiments")->required()->type_name("");
  command->callback(
    [&chosen, directories] { chosen = [directories] { return print_document(*directories); }; });
}

} // namespace troupe
