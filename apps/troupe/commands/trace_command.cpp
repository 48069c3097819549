#include "commands/commands.hpp"
#include "report/text/text.hpp"
#include "report/traces/trace_report.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"
#include "support/json_output.hpp"
#include "support/option_hints.hpp"
#include "support/run_report.hpp"
#include "support/same_file.hpp"
#include "workload/formats/write_tr.hpp"
#include "workload/traces/trace_format.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

namespace {

constexpr const char* trace_examples = R"(Examples:
  troupe trace jobs.tr
  troupe trace clusterdata-2011-2 --set to=1h --json
  troupe trace fit batch_task.csv --out fitted.toml
  troupe trace convert log.swf log.tr --set speedup=10

FILE is a trace in one of the formats tr (Sparrow, Hawk, Eagle), google2011, alibaba2018,
alibaba2017, swf (Parallel Workloads Archive), openb (Alibaba GPU 2023) and recorded ('troupe
record'), plain or compressed with gzip, or a directory with the tables of one. KEY is one of the
settings in [workload.trace], as in 'troupe config': format, from, to, speedup, duration_speedup,
sample, max_duration, ... Only runs use replicas and jitter.)";

struct trace_options {
  std::string file;
  std::vector<std::string> overrides;
  std::string machines;
  std::string out;
  std::uint32_t phases = 24;
  bool as_json = false;
};

/// The settings of the trace; for the trace of machines, the settings of the same names.
struct trace_input {
  trace_settings jobs;
  machine_trace_settings machines;
};

trace_input read_trace_input(const trace_options& options) try {
  constexpr const char* base = "[workload]\nkind = \"trace\"\nfile = \"named\"\n";
  constexpr const char* shared[] = {"format", "from", "speedup"};
  std::vector<std::string> overrides;
  for (const auto& o : options.overrides) {
    overrides.push_back("workload.trace." + o);
    for (const std::string name : shared)
      if (o.starts_with(name + "="))
        overrides.push_back("cluster.trace." + o);
  }
  const auto settings = parse_settings(base, "trace", overrides);
  trace_input input{settings.groups.front().workload.trace, settings.cluster.trace};
  if (input.jobs.replicas != 1 || input.jobs.jitter != duration{0})
    throw usage_error{"trace: --set replicas and --set jitter have no effect on a trace; expected "
                      "them as workload.trace.replicas and workload.trace.jitter of a run"};
  input.machines.file = options.machines.empty() ? options.file : options.machines;
  if (!options.machines.empty() && options.machines != options.file)
    input.machines.format = trace_format::automatic;
  return input;
} catch (const settings_error& e) {
  throw usage_error{e.what()};
}

/// Returns the machines of the trace, if it has any.
std::optional<machine_table> find_machines(const trace_options& options, const trace_input& input) {
  const auto files = find_trace(input.machines.file, input.machines.format);
  if (files.machines.empty() && options.machines.empty())
    return std::nullopt;
  try {
    return read_machines(input.machines);
  } catch (const machines_unknown&) {
    if (!options.machines.empty() || files.jobs.empty())
      throw;
    return std::nullopt;
  }
}

int show(const trace_options& options) {
  const auto input = read_trace_input(options);
  trace_contents contents{options.file, {}, {}};
  if (!find_trace(options.file, input.jobs.format).jobs.empty())
    contents.jobs = profile_trace(options.file, input.jobs);
  contents.machines = find_machines(options, input);
  if (options.as_json)
    print_json(trace_json(contents));
  else
    write_trace_table(std::cout, contents);
  return exit_code::done;
}

/// Refuses to write the trace that is read, or one of its tables.
void refuse_own_input(const std::string& path, const trace_options& options,
                      const trace_input& input) {
  std::vector<std::string> own{options.file};
  const auto add = [&](const trace_files& files) {
    for (const auto* tables : {&files.jobs, &files.machines, &files.attributes})
      own.insert(own.end(), tables->begin(), tables->end());
  };
  add(find_trace(options.file, input.jobs.format));
  if (!options.machines.empty()) {
    own.push_back(options.machines);
    add(find_trace(input.machines.file, input.machines.format));
  }
  if (std::ranges::any_of(own, [&](const auto& file) { return is_same_file(path, file); }))
    throw usage_error{path + ": is the trace itself; expected another file"};
}

std::ofstream open_output(const std::string& path) {
  std::ofstream out{path, std::ios::binary | std::ios::trunc};
  if (!out)
    throw usage_error{path + ": the file cannot be written"};
  return out;
}

void close_output(std::ofstream& out, const std::string& path) {
  out.close();
  if (!out)
    throw std::runtime_error{path + ": the file could not be written to its end"};
}

/// Returns the comment at the top of a fitted workload's file.
std::string heading(const trace_options& options, const trace_fit& fit) {
  std::string text = "# A workload of tables, fitted to " + options.file + ".\n#\n";
  text += "# Kolmogorov-Smirnov distance between the trace and what this generates:\n";
  for (const auto& d : fit.distances)
    text += "#   " + d.quantity + " " + number_text(d.distance) + "\n";
  for (const auto& what : fit.left_out)
    text += "# Not in the workload: " + what + ".\n";
  return text + "\n";
}

/// Returns the name of the trace without its directory and, of a file, without its extension.
std::string name_of_trace(const std::string& file) {
  auto path = std::filesystem::path{file}.lexically_normal();
  if (!path.has_filename()) // it ends with a slash
    path = path.parent_path();
  const auto name = path.filename();
  if (name.empty() || name == "." || name == "..")
    return "trace";
  return (std::filesystem::is_directory(path) ? name : name.stem()).string();
}

int fit(const trace_options& options) {
  const auto input = read_trace_input(options);
  const auto fitted =
    fit_trace(options.file, input.jobs, find_machines(options, input), options.phases, 1);
  const auto text = heading(options, fitted) + to_toml(fitted.settings);
  const auto path = options.out.empty() ? name_of_trace(options.file) + "-fit.toml" : options.out;
  refuse_own_input(path, options, input);
  auto out = open_output(path);
  out << text;
  close_output(out, path);
  if (options.as_json) {
    auto result = fit_json(fitted);
    result["file"] = path;
    print_json(result);
    return exit_code::done;
  }
  write_fit_table(std::cout, fitted);
  std::cout << "\nthe workload is in " << path << "; run it with: troupe run " << for_shell(path)
            << '\n';
  return exit_code::done;
}

int convert(const trace_options& options) {
  const auto input = read_trace_input(options);
  refuse_own_input(options.out, options, input);
  auto out = open_output(options.out);
  const auto written = write_tr(out, options.file, input.jobs);
  close_output(out, options.out);
  if (options.as_json) {
    print_json({{"file", options.out},
                {"jobs", written.jobs},
                {"tasks", written.tasks},
                {"lost", written.lost},
                {"skipped", written.skipped}});
    return exit_code::done;
  }
  std::cout << options.out << ": " << count_text(written.jobs) << " jobs, "
            << count_text(written.tasks) << " tasks\n";
  for (const auto& [what, n] : written.lost)
    std::cout << count_text(n) << " jobs lost: " << what << '\n';
  for (const auto& [what, n] : written.skipped)
    std::cout << count_text(n) << " left out: " << what << '\n';
  return exit_code::done;
}

/// Files that the user named cannot be used: that is bad input, like bad settings.
int run_with_usage_errors(const std::shared_ptr<trace_options>& options,
                          int (*run)(const trace_options&)) {
  if (options->file.empty())
    throw usage_error{"trace: FILE is missing; expected a trace such as jobs.tr"};
  try {
    return run(*options);
  } catch (const usage_error&) {
    throw;
  } catch (const std::exception& e) {
    throw usage_error{e.what()};
  }
}

void add_options(CLI::App& command, trace_options& options) {
  command.add_option("FILE", options.file, "A trace, or a directory with its tables")
    ->type_name("");
  suggest_settings(
    command.add_option("--set", options.overrides, "Set one of [workload.trace]; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE"),
    "workload.trace.");
}

} // namespace

void add_trace_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("trace", "Describe, fit or convert a trace");
  command->footer(trace_examples);
  auto options = std::make_shared<trace_options>();
  const auto choose = [&chosen, options](CLI::App* of, int (*run)(const trace_options&)) {
    of->callback([&chosen, options, run] {
      if (!chosen) // the innermost command is called first
        chosen = [options, run] { return run_with_usage_errors(options, run); };
    });
  };
  add_options(*command, *options);
  command->add_option("--machines", options->machines, "The trace's table of machines")
    ->type_name("FILE");
  add_json_option(*command, options->as_json);
  auto* fitting = command->add_subcommand("fit", "Write a synthetic workload fitted to FILE");
  add_options(*fitting, *options);
  fitting->add_option("--out", options->out, "Output file; default: NAME-fit.toml")
    ->type_name("CONFIG");
  fitting->add_option("--machines", options->machines, "The trace's table of machines")
    ->type_name("FILE");
  fitting->add_option("--phases", options->phases, "Number of phases of constant load; default: 24")
    ->check(CLI::Range(1, 4096))
    ->type_name("N");
  add_json_option(*fitting, options->as_json);
  auto* converting = command->add_subcommand("convert", "Write FILE in the format tr");
  add_options(*converting, *options);
  converting->add_option("OUT", options->out, "The file to write, in the format tr")
    ->required()
    ->type_name("");
  add_json_option(*converting, options->as_json);
  command->require_subcommand(0, 1);
  choose(fitting, fit);
  choose(converting, convert);
  choose(command, show);
}

} // namespace troupe
