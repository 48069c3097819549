#include "commands/commands.hpp"
#include "report/page/page.hpp"
#include "report/results/results_directory.hpp"
#include "support/json_output.hpp"
#include "support/run_report.hpp"
#include "support/same_file.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

namespace {

constexpr const char* report_examples = R"(Examples:
  troupe report results/quickstart-1
  troupe report results/quickstart-1 results/quickstart-2 --out both.html

DIR has the results of a run. The page of one run is written to DIR/report.html; several runs are
compared in the same plots, and their page is written to ./report.html.)";

struct report_options {
  std::vector<std::string> directories;
  std::string out;
  bool as_json = false;
};

/// Refuses a file that the results of a run consist of, also by a link; the page of a run is none.
void refuse_results(const std::filesystem::path& file,
                    const std::vector<std::filesystem::path>& directories) {
  for (const auto& directory : directories)
    for (const auto& entry : std::filesystem::directory_iterator{directory}) {
      const auto name = entry.path().filename().string();
      if (results_directory::is_own(name) && name != results_directory::report_name &&
          is_same_file(file, entry.path()))
        throw usage_error{"report: --out " + file.string() + ": it is " + entry.path().string() +
                          ", one of the results; expected another file"};
    }
}

int report(const report_options& options) {
  const std::vector<std::filesystem::path> directories(options.directories.begin(),
                                                       options.directories.end());
  page_contents contents;
  try {
    contents = contents_for(directories);
  } catch (const std::runtime_error& e) {
    throw usage_error{std::string{"report: "} + e.what()};
  }
  if (directories.size() > 1)
    contents.command = own_command();
  const std::filesystem::path name{results_directory::report_name};
  const auto file = !options.out.empty()      ? std::filesystem::path{options.out}
                    : directories.size() == 1 ? directories.front() / name
                                              : name;
  refuse_results(file, directories);
  write_page(file, contents);
  if (options.as_json) {
    print_json({{"file", file.string()}, {"runs", directories.size()}});
    return exit_code::done;
  }
  std::cout << "plots in " << file.string() << std::endl;
  return exit_code::done;
}

} // namespace

void add_report_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("report", "Write the page with the plots of runs");
  command->footer(report_examples);
  auto options = std::make_shared<report_options>();
  command->add_option("DIR", options->directories, "Results of runs")->required()->type_name("");
  command->add_option("--out", options->out, "File for the page")->type_name("FILE");
  add_json_option(*command, options->as_json);
  command->callback([&chosen, options] { chosen = [options] { return report(*options); }; });
}

} // namespace troupe
