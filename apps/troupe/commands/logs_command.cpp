#include "commands/commands.hpp"
#include "jobs/job_api.hpp"
#include "jobs/store/rows.hpp"
#include "support/json_output.hpp"
#include "support/signals.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>

namespace troupe {

namespace {

constexpr const char* logs_examples = R"(Examples:
  troupe logs 12           # what the tasks of job 12 have written, one task after the other
  troupe logs 12 3 -f      # follows task 12.3 until its end
  troupe logs 12 3 --stderr
Exit code: 0 shown, 2 bad use, 4 no answer from the cluster, 5 no such job or task, or one that has
not begun, 6 the output is gone.)";

constexpr int follow_pause_ms = 300;
constexpr std::uint32_t most_tasks = 1000;

struct logs_options {
  api_access access;
  std::string id;
  std::string task;
  std::string attempt;
  bool errors = false;
  bool follow = false;
  bool as_json = false;
};

/// Reads one attempt of a task after the other.
class attempts_reader {
public:
  attempts_reader(job_api& api, const logs_options& options, const std::string& task)
    : api_(api), options_(options), task_(task), attempt_(options.attempt) {}

  /// Returns the next part; nothing if there is none now. The first one decides on the attempt.
  std::optional<job_api::output> next() {
    try {
      auto part = api_.read(options_.id, task_, options_.errors, attempt_, at_);
      attempt_ = std::to_string(part.attempt);
      skipped_ = part.offset - at_;
      at_ = part.offset + part.bytes.size();
      return part;
    } catch (const api_refusal&) { // an attempt that was never begun has no output
      if (!options_.follow || attempt_.empty() || !options_.attempt.empty())
        throw;
      return std::nullopt;
    }
  }

  /// How many bytes before the last part were not kept.
  std::uint64_t skipped() const { return skipped_; }
  std::uint64_t at() const { return at_; }

  /// Goes on with the next attempt, if there is one. Returns false if there will be none.
  bool turn() {
    if (!options_.attempt.empty())
      return false;
    const auto task = api_.task(options_.id, task_);
    const auto state = choice_named<task_state>(task.value("state", std::string{}));
    const auto current = std::stoull(attempt_);
    if (task.value("attempts", std::uint64_t{0}) > current) {
      attempt_ = std::to_string(current + 1);
      at_ = 0;
      return true;
    }
    return state && !is_over(*state);
  }

private:
  job_api& api_;
  const logs_options& options_;
  const std::string& task_;
  std::string attempt_;
  std::uint64_t at_ = 0;
  std::uint64_t skipped_ = 0;
};

/// Passes on what a task has written; with `follow`, until its end, each further attempt from its
/// beginning. Returns all of it with `as_json`.
std::string show(job_api& api, const logs_options& options, const std::string& task) {
  std::string all;
  attempts_reader reader{api, options, task};
  while (caught_signal() == 0) {
    const auto part = reader.next();
    if (part) {
      if (reader.skipped() > 0 && !options.as_json)
        std::cerr << "troupe: " << reader.skipped() << " earlier bytes were not kept" << std::endl;
      if (options.as_json)
        all += part->bytes;
      else
        std::cout << part->bytes << std::flush;
      if (reader.at() < part->size)
        continue;
    }
    if (!options.follow || ((!part || !part->open) && !reader.turn()))
      break;
    poll(nullptr, 0, follow_pause_ms);
  }
  return all;
}

std::vector<std::string> tasks_of(job_api& api, const logs_options& options) {
  if (!options.task.empty())
    return {options.task};
  const auto job = api.job(options.id);
  const auto count = job.value("tasks", 0U);
  if (count > 1 && options.follow)
    throw usage_error{"logs: -f with a job of " + std::to_string(count) +
                      " tasks; expected the number of one of them"};
  if (count > most_tasks)
    throw usage_error{"logs: job " + options.id + " has " + std::to_string(count) +
                      " tasks; expected the number of one of them"};
  std::vector<std::string> tasks;
  for (std::uint32_t t = 0; t < count; ++t)
    tasks.push_back(std::to_string(t));
  return tasks;
}

int show_logs(const logs_options& options) {
  watch_signals();
  job_api api{options.access};
  const auto tasks = tasks_of(api, options);
  auto all = api_json::array();
  std::size_t unknown = 0;
  for (const auto& task : tasks)
    try {
      const auto text = show(api, options, task);
      if (options.as_json)
        all.push_back({{"task", std::stoul(task)}, {"text", text}});
    } catch (const api_refusal& e) {
      // Of several tasks some may not have begun.
      if (tasks.size() == 1 || e.code != job_exit::no_such_job)
        throw;
      ++unknown;
    }
  if (options.as_json)
    print_json({{"logs", all}});
  else if (unknown > 0)
    std::cerr << "troupe: " << unknown << " tasks have "
              << (options.attempt.empty() ? "not begun" : "no attempt " + options.attempt)
              << std::endl;
  return caught_signal() != 0 ? 128 + caught_signal() : exit_code::done;
}

} // namespace

void add_logs_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("logs", "Show what the tasks of a job have written");
  command->footer(logs_examples);
  auto o = std::make_shared<logs_options>();
  command->add_option("JOB", o->id, "The number of the job")->required()->type_name("");
  command->add_option("TASK", o->task, "The number of one of its tasks; default: all")
    ->type_name("");
  command->add_flag("--follow,-f", o->follow, "Go on until the task has ended");
  command->add_flag("--stderr", o->errors, "Its standard error instead of its standard output");
  command->add_option("--attempt", o->attempt, "Of an earlier attempt; default: the latest")
    ->type_name("N");
  add_api_access(*command, o->access);
  add_json_option(*command, o->as_json);
  command->callback([&chosen, o] {
    chosen = [o] {
      o->id = job_id_of(o->id);
      if (!o->task.empty())
        o->task = task_number_of(o->task);
      if (!o->attempt.empty())
        o->attempt = attempt_number_of(o->attempt);
      return with_job_exit_codes(o->as_json, [&] { return show_logs(*o); });
    };
  });
}

} // namespace troupe
