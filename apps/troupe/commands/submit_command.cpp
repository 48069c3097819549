#include "commands/commands.hpp"
#include "jobs/job_api.hpp"
#include "jobs/submit_options.hpp"
#include "report/text/printable.hpp"
#include "support/json_output.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

namespace troupe {

namespace {

constexpr const char* submit_examples = R"(Examples:
  troupe submit -- echo hello
  troupe submit --count 100 --cpu 0.5 --memory 256MiB -- sh -c 'echo $TROUPE_TASK_ID'
  troupe submit --name train --gpu 1 --constraint 'zone=a' --retries 2 --timeout 2h -- ./train
  troupe submit --after 12 -- ./merge
  troupe submit job.toml

The job is durable when its number is printed. Each task has TROUPE_JOB, TROUPE_TASK,
TROUPE_ATTEMPT and TROUPE_TASK_ID in its environment. A job file can have several groups of tasks
that wait for each other: see docs/jobs.md.
Exit code: 0 accepted, 2 the job or the command line is wrong, 4 no answer from the cluster,
6 refused in its present state.)";

struct submit_command_options {
  api_access access;
  submit_options job;
  std::optional<std::string> key{};
  bool as_json = false;
  bool only_id = false;
};

/// The key is the value of a header, from which a server would read another key, or none.
void check_key(const std::string& key) {
  const auto is_control = [](unsigned char c) { return c < ' ' || c == '\x7f'; };
  if (key.empty() || key.front() == ' ' || key.back() == ' ' ||
      std::ranges::any_of(key, is_control))
    throw usage_error{"--key '" + printable(key) +
                      "': expected a text without control characters, and without spaces at its "
                      "ends"};
}

int submit(const submit_command_options& options) {
  const auto job = job_of(options.job);
  if (options.key)
    check_key(*options.key);
  return with_job_exit_codes(options.as_json, [&] {
    const auto id =
      job_api{options.access}.submit(job, options.key.value_or(""), [&](const std::string& place) {
        return source_of(options.job, place);
      });
    if (options.as_json)
      print_json({{"id", id}});
    else if (options.only_id)
      std::cout << id << '\n';
    else
      std::cout << "job " << id << " is accepted; 'troupe wait " << id
                << "' waits for its end, 'troupe logs " << id << "' shows its output\n";
    return exit_code::done;
  });
}

} // namespace

void add_submit_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("submit", "Have a cluster run a command");
  command->footer(submit_examples);
  auto o = std::make_shared<submit_command_options>();
  add_submit_options(*command, o->job);
  add_api_access(*command, o->access);
  command->add_option("--key", o->key, "A key that was used before makes no second job")
    ->type_name("KEY");
  command->add_flag("--quiet,-q", o->only_id, "Print only the number of the job");
  add_json_option(*command, o->as_json);
  command->callback([&chosen, o] { chosen = [o] { return submit(*o); }; });
}

} // namespace troupe
