#include "commands/commands.hpp"
#include "jobs/job_api.hpp"
#include "jobs/job_text.hpp"
#include "support/json_output.hpp"
#include "support/option_hints.hpp"
#include "support/terminal.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace troupe {

namespace {

constexpr const char* jobs_examples = R"(Examples:
  troupe jobs
  troupe jobs --state running
  troupe jobs --limit 1000 --json)";

constexpr const char* job_examples = R"(Examples:
  troupe job 12
  troupe job 12 --tasks --state failed
  troupe job 12 3        # the attempts of task 12.3
  troupe job 12 --json
Exit code: 0 shown, 2 bad use, 4 no answer from the cluster, 5 no such job or task.)";

constexpr std::uint32_t rows_at_once = 1000; ///< jobs or tasks of one question
constexpr std::uint32_t most_rows = 1'000'000'000;

struct jobs_options {
  api_access access;
  std::string state;
  std::uint32_t limit = 50;
  bool as_json = false;
};

struct job_options {
  api_access access;
  std::string id;
  std::string task;
  std::string state;
  std::uint32_t limit = 100;
  bool with_tasks = false;
  bool as_json = false;
};

/// Asks for parts of a list until there are `limit` of them. `next` is the member that says where
/// the next part begins, and the name of the parameter with which one asks for it.
template <class Ask>
api_json collect(Ask ask, const char* name, const char* next, const char* parameter,
                 const std::string& state, std::uint32_t limit) {
  api_json all = api_json::array();
  std::string from;
  while (all.size() < limit) {
    auto query =
      "?limit=" + std::to_string(std::min<std::size_t>(limit - all.size(), rows_at_once));
    if (!state.empty())
      query += "&state=" + state;
    if (!from.empty())
      query += '&' + std::string{parameter} + '=' + from;
    const auto part = ask(query);
    for (const auto& one : part.value(name, api_json::array()))
      all.push_back(one);
    if (!part.contains(next) || part[next].is_null())
      break;
    from = part[next].dump();
  }
  return all;
}

int show_jobs(const jobs_options& options) {
  job_api api{options.access};
  const auto jobs = collect([&](const std::string& query) { return api.jobs(query); }, "jobs",
                            "before", "before", options.state, options.limit);
  if (options.as_json)
    print_json({{"jobs", jobs}});
  else if (jobs.empty())
    std::cout << "no jobs" << (options.state.empty() ? "" : " that are " + options.state)
              << "; 'troupe submit -- COMMAND' submits one\n";
  else
    write_jobs(std::cout, jobs, terminal_width());
  return exit_code::done;
}

int show_task(job_api& api, const job_options& options, const api_json& job) {
  const auto task = api.task(options.id, options.task);
  if (options.as_json)
    print_json({{"task", task}});
  else
    write_task(std::cout, job, task);
  return exit_code::done;
}

int show_job(const job_options& options) {
  job_api api{options.access};
  const auto job = api.job(options.id);
  if (!options.task.empty())
    return show_task(api, options, job);
  api_json tasks = api_json::array();
  if (options.with_tasks)
    tasks = collect([&](const std::string& query) { return api.tasks(options.id, query); }, "tasks",
                    "next", "from", options.state, options.limit);
  if (options.as_json) {
    nlohmann::ordered_json all{{"job", job}};
    if (options.with_tasks)
      all["tasks"] = tasks;
    print_json(all);
    return exit_code::done;
  }
  write_job(std::cout, job);
  if (options.with_tasks) {
    std::cout << '\n';
    write_tasks(std::cout, job, tasks);
  }
  return exit_code::done;
}

} // namespace

void add_jobs_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("jobs", "List the jobs of a cluster, the latest first");
  command->footer(jobs_examples);
  auto o = std::make_shared<jobs_options>();
  choose_from(
    command->add_option("--state", o->state, "Only those in this state")->type_name("STATE"),
    {"queued", "running", "stopping", "succeeded", "failed", "cancelled"});
  command->add_option("--limit", o->limit, "At most so many")
    ->check(CLI::Range(1U, most_rows).description(""))
    ->capture_default_str()
    ->type_name("N");
  add_api_access(*command, o->access);
  add_json_option(*command, o->as_json);
  command->callback([&chosen, o] {
    chosen = [o] { return with_job_exit_codes(o->as_json, [&] { return show_jobs(*o); }); };
  });
}

void add_job_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("job", "Show a job, its tasks, or the attempts of a task");
  command->footer(job_examples);
  auto o = std::make_shared<job_options>();
  command->add_option("JOB", o->id, "The number of the job")->required()->type_name("");
  command->add_option("TASK", o->task, "The number of one of its tasks, from 0")->type_name("");
  command->add_flag("--tasks", o->with_tasks, "Show its tasks");
  choose_from(command->add_option("--state", o->state, "With --tasks: only those in this state")
                ->type_name("STATE"),
              {"waiting", "queued", "running", "succeeded", "failed", "cancelled"});
  command->add_option("--limit", o->limit, "With --tasks: at most so many")
    ->check(CLI::Range(1U, most_rows).description(""))
    ->capture_default_str()
    ->type_name("N");
  add_api_access(*command, o->access);
  add_json_option(*command, o->as_json);
  command->callback([&chosen, o] {
    chosen = [o] {
      o->id = job_id_of(o->id);
      if (!o->task.empty())
        o->task = task_number_of(o->task);
      return with_job_exit_codes(o->as_json, [&] { return show_job(*o); });
    };
  });
}

} // namespace troupe
