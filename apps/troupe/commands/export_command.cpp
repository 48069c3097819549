#include "commands/commands.hpp"
#include "report/export/export_jobs.hpp"
#include "report/text/text.hpp"
#include "support/json_output.hpp"
#include "support/option_hints.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace troupe {

namespace {

constexpr const char* export_examples = R"(Examples:
  troupe export results/quickstart-1 --as batsim
  troupe export results/quickstart-1 --as swf --out quickstart.swf

DIR has the results of a run with --records jobs or tasks. batsim writes the jobs.csv of Batsim,
which evalys reads; swf writes the Standard Workload Format, which troupe replays, too. With
records of tasks, starts are exact and batsim has the machines of each job. Jobs that were not over
at the end of the run are left out.)";

struct export_options {
  std::string directory;
  std::string format;
  std::string out;
  bool as_json = false;
};

std::filesystem::path file_for(const export_options& options, export_format format) {
  if (!options.out.empty())
    return options.out;
  auto name = std::filesystem::path{options.directory}.lexically_normal();
  if (!name.has_filename())
    name = name.parent_path();
  const auto stem = name.filename().string();
  return (stem == "." || stem == ".." || stem.empty() ? "jobs" : stem) +
         (format == export_format::swf ? ".swf" : "-batsim.csv");
}

int export_records(const export_options& options) {
  const auto format =
    options.format == export_format_names[0] ? export_format::batsim : export_format::swf;
  exported_jobs jobs;
  try {
    jobs = read_exported_jobs(options.directory);
  } catch (const std::runtime_error& e) {
    throw usage_error{std::string{"export: "} + e.what()};
  }
  const auto file = file_for(options, format);
  std::ofstream out{file, std::ios::binary | std::ios::trunc};
  if (!out)
    throw usage_error{"export: --out " + file.string() +
                      ": it cannot be written; expected a file in a directory that exists"};
  write_exported(out, jobs, format);
  out.close();
  if (!out)
    throw std::runtime_error("cannot write " + file.string());
  if (options.as_json) {
    print_json({{"file", file.string()},
                {"jobs", jobs.jobs.size()},
                {"left_out", jobs.open},
                {"exact_starts", jobs.tasks_recorded}});
    return exit_code::done;
  }
  std::cout << count_text(jobs.jobs.size()) << " jobs in " << file.string() << '\n';
  if (jobs.open > 0)
    std::cout << count_text(jobs.open) << " jobs were not over at the end of the run, and are left "
              << "out\n";
  if (!jobs.tasks_recorded)
    std::cout << "starts are those of grants, as there are no records of tasks\n";
  return exit_code::done;
}

} // namespace

void add_export_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("export", "Write records of jobs in formats of other tools");
  command->footer(export_examples);
  auto options = std::make_shared<export_options>();
  command->add_option("DIR", options->directory, "Results of a run with records")
    ->required()
    ->type_name("");
  choose_from(command->add_option("--as", options->format, "Format: batsim or swf")->required(),
              {export_format_names.begin(), export_format_names.end()});
  command->get_option("--as")->type_name("FORMAT");
  command->add_option("--out", options->out, "File; default: named after DIR, in this directory")
    ->type_name("FILE");
  add_json_option(*command, options->as_json);
  command->callback(
    [&chosen, options] { chosen = [options] { return export_records(*options); }; });
}

} // namespace troupe
