#include "commands/commands.hpp"
#include "policies/conformance.hpp"
#include "policies/registry.hpp"
#include "runtime/cluster/cluster_trial.hpp"
#include "settings/toml/read.hpp"
#include "settings/toml/toml_text.hpp"
#include "support/inputs.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
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
};

class check_report {
public:
  void line(bool passed, const std::string& name, const std::string& detail) {
    std::printf("%s  %-50s %s\n", passed ? "PASS" : "FAIL", name.c_str(), detail.c_str());
    passed_ = passed_ && passed;
  }

  int exit_code() const { return passed_ ? exit_code::done : exit_code::failed; }

private:
  bool passed_ = true;
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
  check_report lines;
  for (const auto& check : found.checks)
    lines.line(check.passed, check.name, check.detail);
  try_twice(set, lines);
  std::printf("\n%.2f us per decision, 99 %% within %.2f us; %llu of %llu found no machine where "
              "there was one\n",
              found.mean_ns / 1e3, found.p99_ns / 1e3,
              static_cast<unsigned long long>(found.overlooked),
              static_cast<unsigned long long>(found.decisions));
  return lines.exit_code();
}

int check_scheduler(const check_options& options) {
  check_report lines;
  try_twice(trial_set(options, "scheduler.actor"), lines);
  return lines.exit_code();
}

void add_check(CLI::App& to, action& chosen, const char* name, const char* meaning,
               int (*check)(const check_options&)) {
  auto* command = to.add_subcommand(name, meaning);
  auto options = std::make_shared<check_options>();
  command->add_option("NAME", options->name, "As `troupe policies` lists it")
    ->required()
    ->type_name("");
  command->add_option("--set", options->set, "Override one setting; may be repeated")
    ->allow_extra_args(false)
    ->type_name("KEY=VALUE");
  add_plugin_option(*command, options->plugins);
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
  add_check(*command, chosen, "policy", "Try a placement policy on views and in a small cluster",
            check_policy);
  add_check(*command, chosen, "scheduler", "Try a scheduler actor in a small cluster",
            check_scheduler);
}

} // namespace troupe
