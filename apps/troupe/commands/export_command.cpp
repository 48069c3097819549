#include "commands/commands.hpp"
#include "report/export/export_jobs.hpp"
#include "report/results/results_directory.hpp"
#include "report/text/text.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "settings/toml/read.hpp"
#include "support/json_output.hpp"
#include "support/option_hints.hpp"
#include "support/same_file.hpp"

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

/// Refuses a file that the results consist of, also by a link.
void refuse_results(const std::filesystem::path& file, const std::filesystem::path& directory) {
  for (const auto& entry : std::filesystem::directory_iterator{directory})
    if (results_directory::is_own(entry.path().filename().string()) &&
        is_same_file(file, entry.path()))
      throw usage_error{"export: --out " + file.string() + ": it is " + entry.path().string() +
                        ", one of the results; expected another file"};
}

/// Returns how many tasks of a slot, or of a core if there are no slots, the cluster of a run has
/// room for; 0 if its settings or its trace of machines cannot be read now.
std::uint64_t processors_of(const std::filesystem::path& directory) try {
  const auto settings = read_settings(directory / results_directory::config_name);
  if (settings.runs_commands())
    return 0; // nodes may come and go
  const auto machines = build_machines(settings).machines;
  std::uint64_t slots = 0;
  std::uint64_t millicores = 0;
  for (machine_id m = 0; m < machines.machines(); ++m) {
    slots += static_cast<std::uint64_t>(machines.machine(m).capacity[resource::slots]);
    millicores += static_cast<std::uint64_t>(machines.machine(m).capacity[resource::cpu]);
  }
  return slots > 0 ? slots : millicores / 1000;
} catch (const std::exception&) {
  return 0;
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
  refuse_results(file, options.directory);
  std::ofstream out{file, std::ios::binary | std::ios::trunc};
  if (!out)
    throw usage_error{"export: --out " + file.string() +
                      ": it cannot be written; expected a file in a directory that exists"};
  if (format == export_format::swf)
    jobs.processors = processors_of(options.directory);
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
