#include "commands/commands.hpp"
#include "policies/conformance.hpp"
#include "policies/registry.hpp"
#include "runtime/cluster/cluster_trial.hpp"
#include "settings/toml/read.hpp"
#include "settings/toml/toml_text.hpp"
#include "support/inputs.hpp"
#include "support/json_output.hpp"
#include "support/option_hints.hpp"
#include "support/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

namespace troupe {

namespace {

/// A cluster with too little room for its work, in which schedulers conflict.
constexpr const char* trial_cluster = R"(
name = "check"
schedulers = 4
[cluster]
machines = 120
partitions = 12
owners = 3
[workload]
arrivals = "poisson"
duration = { kind = "exponential", value = 1 }
tasks_per_job = { kind = "exponential", value = 3, min = 1, max = 20 }
[[workload.phases]]
length = "3s"
rate = 100
[[workload.phases]]
length = "3s"
rate = 400
)";

struct check_options {
  std::string name;
  std::vector<std::string> set;
  std::vector<std::string> plugins;
  bool as_json = false;
};

class check_report {
public:
  explicit check_report(const check_options& options) : options_(options) {}

  void line(bool passed, const std::string& name, const std::string& detail) {
    passed_ = passed_ && passed;
    if (options_.as_json) {
      checks_.push_back({{"name", name}, {"passed", passed}, {"detail", detail}});
      return;
    }
    const auto text = (passed ? "PASS  " : "FAIL  ") + padded(name) + ' ' + detail;
    std::cout << with_verdicts(in_lines(text, indent)) << std::flush;
  }

  /// Prints the whole as JSON, with further members, if that is wanted.
  int finish(const char* kind, nlohmann::ordered_json more) const {
    if (options_.as_json) {
      nlohmann::ordered_json all{
        {"name", options_.name}, {"kind", kind}, {"passed", passed_}, {"checks", checks_}};
      all.update(more);
      print_json(all);
    }
    return passed_ ? exit_code::done : exit_code::failed;
  }

private:
  static constexpr std::size_t indent = 6;

  static std::string padded(std::string name) {
    name.resize(std::max<std::size_t>(name.size(), 50), ' ');
    return name;
  }

  const check_options& options_;
  bool passed_ = true;
  nlohmann::ordered_json checks_ = nlohmann::ordered_json::array();
};

/// Runs a small cluster twice and evaluates its self-checks.
void try_twice(const std::vector<std::string>& set, check_report& to) {
  try {
    const auto first = try_cluster(trial_cluster, set);
    const auto second = try_cluster(trial_cluster, set);
    for (const auto& check : first.checks)
      to.line(check.passed, "in a cluster: " + check.name, check.detail);
    const bool same = results_text(first) == results_text(second);
    to.line(same, "in a cluster: a second run gives the same",
            same ? "equal results" : "the results differ");
  } catch (const std::exception& e) {
    to.line(false, "in a cluster: the run comes to its end", e.what());
  }
}

/// Returns the overrides for the trial, after checking that they are possible.
std::vector<std::string> trial_set(const check_options& options, const std::string& choice) try {
  auto set = with_plugins({choice + "=" + to_toml_value(options.name)}, options.plugins);
  set.insert(set.end(), options.set.begin(), options.set.end());
  parse_settings(trial_cluster, "check", set);
  return set;
} catch (const settings_error& e) {
  throw usage_error{e.what()};
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int check_policy(const check_options& options) {
  const auto set = trial_set(options, "scheduler.policy");
  const auto settings = parse_settings(trial_cluster, "check", set);
  const auto values = settings.policy.of(options.name);
  const auto found = check_conformance([&] { return make_policy(options.name, values); },
                                       steady_seconds, settings.seed);
  check_report lines{options};
  for (const auto& check : found.checks)
    lines.line(check.passed, check.name, check.detail);
  try_twice(set, lines);
  if (!options.as_json)
    std::cout << '\n'
              << in_lines(fmt::format(
                   "{:.2f} us per decision, 99 % within {:.2f} us; {} of {} found "
                   "no machine where there was one",
                   found.mean_ns / 1e3, found.p99_ns / 1e3, found.overlooked, found.decisions));
  return lines.finish(
    "policy", {{"decisions", found.decisions},
               {"overlooked", found.overlooked},
               {"decision_us", {{"mean", found.mean_ns / 1e3}, {"p99", found.p99_ns / 1e3}}}});
}

int check_scheduler(const check_options& options) {
  check_report lines{options};
  try_twice(trial_set(options, "scheduler.actor"), lines);
  return lines.finish("scheduler", nlohmann::ordered_json::object());
}

void add_check(CLI::App& to, action& chosen, const char* name, plugin_kind kind,
               const char* meaning, int (*check)(const check_options&)) {
  auto* command = to.add_subcommand(name, meaning);
  auto options = std::make_shared<check_options>();
  auto* named = command->add_option("NAME", options->name, "As `troupe policies` lists it");
  named->required()->type_name("");
  std::vector<std::string> known;
  for (const auto* plugin : registered(kind))
    known.emplace_back(plugin->name);
  suggest(named, known);
  command->add_option("--set", options->set, "Override one setting; may be repeated")
    ->allow_extra_args(false)
    ->type_name("KEY=VALUE");
  add_plugin_option(*command, options->plugins);
  add_json_option(*command, options->as_json);
  command->callback([&chosen, options, check] { chosen = [=] { return check(*options); }; });
}

} // namespace

void add_check_command(CLI::App& app, action& chosen) {
  auto* command =
    app.add_subcommand("check", "Check that a policy or scheduler meets its contract");
  command->footer("Examples:\n"
                  "  troupe check policy best-fit\n"
                  "  troupe check policy mine --plugin build/mine.so --set policy.mine.k=4\n"
                  "  troupe check scheduler round-robin --plugin build/round_robin.so\n\n"
                  "The exit code is 1 if a check failed.");
  command->require_subcommand(1);
  add_check(*command, chosen, "policy", plugin_kind::placement_policy,
            "Try a placement policy on views and in a small cluster", check_policy);
  add_check(*command, chosen, "scheduler", plugin_kind::scheduler_actor,
            "Try a scheduler actor in a small cluster", check_scheduler);
}

} // namespace troupe
