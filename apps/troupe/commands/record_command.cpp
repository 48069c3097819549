#include "commands/commands.hpp"
#include "jobs/job_api.hpp"
#include "jobs/recording.hpp"
#include "nodes/client/policies_json.hpp"
#include "report/text/text.hpp"
#include "settings/toml/duration_text.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"
#include "support/json_output.hpp"
#include "support/option_hints.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

namespace troupe {

namespace {

namespace fs = std::filesystem;

constexpr const char* record_examples = R"(Examples:
  troupe record --out yesterday
  troupe record --last 10m --out rush
  troupe run yesterday/run.toml --set scheduler.policy=best-fit

Writes DIR/recording.jsonl, a trace of the jobs that are over and of the machines that there were
meanwhile, and DIR/run.toml, the cluster's settings with this trace as the workload and with the
policy that 'troupe policy set' has set last. A run replays it in virtual time. Tasks that are not
over, or were never started, are left out.)";

struct record_options {
  api_access access;
  std::string config;
  std::string last;
  std::string out = "recording";
  bool as_json = false;
};

std::int64_t begin_of(const record_options& options) {
  if (options.last.empty())
    return 0;
  duration last{0};
  try {
    last = parse_duration(options.last);
  } catch (const std::invalid_argument&) {
  }
  if (last <= duration::zero())
    throw usage_error{"record: --last " + options.last + ": expected a time such as 10m or 24h"};
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
    std::chrono::system_clock::now().time_since_epoch());
  return (now - std::chrono::duration_cast<std::chrono::milliseconds>(last)).count();
}

/// The file with the settings of the cluster.
fs::path settings_file(const record_options& options) {
  if (!options.config.empty())
    return options.config;
  const fs::path of_cluster =
    fs::path{options.access.directory.empty() ? "cluster" : options.access.directory} /
    "cluster.toml";
  if (given_address(options.access).empty() && fs::exists(of_cluster))
    return of_cluster;
  throw usage_error{
    "record: the settings of the cluster are not known; expected --config FILE with "
    "the file that its first node was started with"};
}

/// The settings for a run with the policy that a client has ordered for all schedulers, if any.
run_settings replay_settings(const fs::path& of_cluster, const fs::path& trace, job_api& api) {
  const auto value = [](const std::string& text) { return '"' + text + '"'; };
  std::vector<std::string> changes{
    "workload.kind=\"trace\"", "workload.file=" + value(trace.string()),
    "cluster.trace.file=" + value(trace.string()), "clock=\"virtual\"", "duration=\"0s\""};
  std::ranges::move(overrides_of(read_policies(api.policies()).rows), std::back_inserter(changes));
  return read_settings(of_cluster, changes);
}

void write(const fs::path& file, const std::function<void(std::ostream&)>& content) {
  std::ofstream out{file, std::ios::binary | std::ios::trunc};
  content(out);
  out.close();
  if (!out)
    throw usage_error{"record: --out: " + file.string() +
                      " cannot be written; expected a directory that can"};
}

int record(const record_options& options) {
  const auto from = begin_of(options);
  const auto directory = fs::absolute(options.out).lexically_normal();
  const auto trace = directory / "recording.jsonl";
  const auto of_cluster = settings_file(options);
  job_api api{options.access};
  const auto settings = replay_settings(of_cluster, trace, api);
  auto made = record_jobs(api, from);
  if (made.jobs.empty())
    throw api_refusal{job_exit::refused,
                      "record: no task is over" +
                        (options.last.empty() ? "" : " of the jobs of the last " + options.last) +
                        "; nothing is written"};
  std::error_code failed;
  fs::create_directories(directory, failed);
  write(trace, [&](std::ostream& out) {
    out << to_line(made.head) << '\n';
    for (const auto& m : made.machines)
      out << to_line(m) << '\n';
    for (const auto& j : made.jobs)
      out << to_line(j) << '\n';
  });
  write(directory / "run.toml", [&](std::ostream& out) { out << to_toml(settings); });
  if (options.as_json) {
    print_json({{"trace", trace.string()},
                {"settings", (directory / "run.toml").string()},
                {"jobs", made.jobs.size()},
                {"tasks", made.tasks},
                {"machines", made.machine_count},
                {"open", made.open},
                {"unstarted", made.unstarted}});
    return exit_code::done;
  }
  std::cout << count_text(made.jobs.size()) << " jobs with " << count_text(made.tasks)
            << " tasks, and " << count_text(made.machine_count) << " machines, are in "
            << options.out << "; 'troupe run " << (fs::path{options.out} / "run.toml").string()
            << "' replays them\n";
  if (made.open + made.unstarted > 0)
    std::cout << count_text(made.open) << " tasks that are not over, and "
              << count_text(made.unstarted) << " that were never started, are left out\n";
  return exit_code::done;
}

} // namespace

void add_record_command(CLI::App& app, action& chosen) {
  auto* command =
    app.add_subcommand("record", "Write what a cluster ran as a trace that a run replays");
  command->footer(record_examples);
  auto o = std::make_shared<record_options>();
  command->add_option("--last", o->last, "Only jobs submitted in this time until now, as in 10m")
    ->type_name("TIME");
  command->add_option("--out", o->out, "Directory for the trace and the settings")
    ->capture_default_str()
    ->type_name("DIR");
  command
    ->add_option("--config", o->config,
                 "Settings of the cluster; default: DIR/cluster.toml of --cluster")
    ->type_name("FILE");
  add_api_access(*command, o->access);
  add_json_option(*command, o->as_json);
  command->callback([&chosen, o] {
    chosen = [o] { return with_job_exit_codes(o->as_json, [&] { return record(*o); }); };
  });
}

} // namespace troupe
