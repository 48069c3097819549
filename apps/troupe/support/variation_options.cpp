#include "support/variation_options.hpp"

#include "commands/commands.hpp"
#include "experiments/compare/summary_skeleton.hpp"
#include "support/inputs.hpp"
#include "support/parallel_runs.hpp"
#include "support/signals.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace troupe {

void add_variation_options(CLI::App& command, variation_options& options,
                           const std::string& vary_meaning, const std::string& seeds_meaning) {
  command.add_option("CONFIG", options.file, "File of settings, in TOML")
    ->required()
    ->type_name("");
  command.add_option("--vary", options.vary, vary_meaning)
    ->allow_extra_args(false)
    ->type_name("KEY=VALUES");
  command.add_option("--set", options.set, "Override one setting in all runs; may be repeated")
    ->allow_extra_args(false)
    ->type_name("KEY=VALUE");
  command
    .add_option_function<std::vector<std::string>>(
      "--plugin",
      [&options](const std::vector<std::string>& paths) {
        options.set = with_plugins(options.set, paths);
      },
      "Load a shared library with a policy or scheduler; may be repeated")
    ->allow_extra_args(false)
    ->type_name("PATH");
  add_seeds_option(command, options.seeds, seeds_meaning);
  constexpr std::array formats{output_format::table, output_format::csv, output_format::json,
                               output_format::markdown};
  add_format_option(command, options.format, formats);
  command.add_flag("--fresh", options.fresh, "Ignore results in DIR and run everything again");
}

void refuse_seed(const std::string& command, const std::vector<std::string>& set) {
  for (const auto& assignment : set)
    if (assignment.starts_with("seed="))
      throw usage_error{command + ": --set " + assignment +
                        ": the runs have seeds 1 to N; expected --seeds N instead"};
}

run_settings base_settings(const variation_options& options) {
  return read_input({options.file, options.set});
}

void check_value(const std::vector<planned_run>& plans, const std::string& option,
                 const std::string& value) {
  std::string fault;
  for (const auto& plan : plans) {
    auto set = plan.set;
    if (plan.find)
      set.push_back(plan.find->set + "=" + plan.find->scale.text(plan.find->to));
    fault = fault_of_value(summary_skeleton(read_input({plan.config.string(), set})), value);
    if (fault.empty())
      return;
  }
  throw usage_error{option + ": " + fault};
}

void check_plans(const std::vector<planned_run>& plans) {
  for (const auto& plan : plans) {
    if (!plan.find) {
      read_input({plan.config.string(), plan.set});
      continue;
    }
    for (const auto value : {plan.find->from, plan.find->to}) {
      auto set = plan.set;
      set.push_back(plan.find->set + "=" + plan.find->scale.text(value));
      read_input({plan.config.string(), set});
    }
  }
}

held_directory results_of(const variation_options& options, const std::string& command,
                          const std::string& name) {
  return hold_directory(command, options.out, std::filesystem::path{"results"} / command / name);
}

int end_interrupted() {
  std::cerr << "interrupted; the same command continues from here" << std::endl;
  return 128 + caught_signal();
}

} // namespace troupe
