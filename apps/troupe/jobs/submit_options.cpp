#include "jobs/submit_options.hpp"

#include "commands/commands.hpp"
#include "jobs/spec/job_spec.hpp"
#include "report/text/printable.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>

namespace troupe {

namespace {

using api_json = nlohmann::json;

constexpr const char* file_ending = ".toml";

/// Hides brackets from CLI11, which takes a word in brackets for a list.
constexpr char hiding_mark = '\1';

bool is_in_brackets(std::string_view word) {
  const auto first = word.find_first_not_of(hiding_mark);
  return first != std::string_view::npos && word[first] == '[' && word.back() == ']';
}

bool is_text(const std::string& text) try {
  static_cast<void>(api_json(text).dump()); // it throws if the text is not UTF-8
  return true;
} catch (const api_json::exception&) {
  return false;
}

/// A job is kept as JSON.
void refuse_other_than_text(const submit_options& o) {
  const auto check = [](const std::string& text, const char* of) {
    if (!is_text(text))
      throw usage_error{std::string{of} + ": " + printable(text) +
                        " is not UTF-8; expected text in "
                        "UTF-8"};
  };
  for (const auto& word : o.words)
    check(word, "the command");
  for (const auto& text : o.env)
    check(text, "--env");
  for (const auto& text : o.constraints)
    check(text, "--constraint");
  check(o.name, "--name");
  check(o.tenant, "--tenant");
  check(o.dir, "--dir");
}

/// The option that a part of the JSON comes from.
std::string option_of(const std::string& place) {
  static const std::map<std::string, std::string> options{
    {"/name", "--name"},
    {"/priority", "--priority"},
    {"/tenant", "--tenant"},
    {"/after", "--after"},
    {"/groups/0/count", "--count"},
    {"/groups/0/cpu", "--cpu"},
    {"/groups/0/memory", "--memory"},
    {"/groups/0/gpu", "--gpu"},
    {"/groups/0/constraints", "--constraint"},
    {"/groups/0/gang", "--gang"},
    {"/groups/0/time_limit", "--timeout"},
    {"/groups/0/grace", "--grace"},
    {"/groups/0/lease", "--lease"},
    {"/groups/0/retries", "--retries"},
    {"/groups/0/env", "--env"},
    {"/groups/0/dir", "--dir"},
    {"/groups/0/command", "the command"},
  };
  auto longest = options.end();
  for (auto it = options.begin(); it != options.end(); ++it)
    if (place.starts_with(it->first) &&
        (longest == options.end() || it->first.size() > longest->first.size()))
      longest = it;
  return longest == options.end() ? place : longest->second;
}

std::string faults_text(const spec_error& e, bool of_file) {
  std::string text;
  for (const auto& f : e.faults)
    text += (text.empty() ? "" : "\n") + (of_file ? f.place : option_of(f.place)) + ": " + f.what;
  return text;
}

api_json env_of(const std::vector<std::string>& given) {
  api_json env = api_json::object();
  for (const auto& text : given) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw usage_error{"--env " + printable(text) + ": expected NAME=VALUE"};
    env[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return env;
}

api_json group_of(const submit_options& o) {
  api_json group{{"name", "tasks"}, {"command", o.words}};
  const auto set = [&](const char* name, const auto& value) {
    if (value)
      group[name] = *value;
  };
  const auto set_text = [&](const char* name, const std::string& value) {
    if (!value.empty())
      group[name] = value;
  };
  set("count", o.count);
  set("cpu", o.cpu);
  set("gpu", o.gpu);
  set("retries", o.retries);
  set_text("memory", o.memory);
  set_text("time_limit", o.timeout);
  set_text("grace", o.grace);
  set_text("lease", o.lease);
  if (!o.dir.empty())
    group["dir"] = std::filesystem::absolute(o.dir).string();
  if (!o.constraints.empty())
    group["constraints"] = o.constraints;
  if (!o.env.empty())
    group["env"] = env_of(o.env);
  if (o.gang)
    group["gang"] = true;
  return group;
}

std::string job_in_file(const std::string& name) {
  if (std::filesystem::is_directory(name))
    throw usage_error{printable(name) + ": this is a directory; expected a job file"};
  std::ifstream in{name, std::ios::binary};
  if (!in)
    throw usage_error{printable(name) + ": cannot be read; expected a job file"};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  try {
    return to_json(read_job_toml(text, name));
  } catch (const spec_error& e) {
    throw usage_error{faults_text(e, true)};
  }
}

} // namespace

std::vector<std::string> with_marked_brackets(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  for (auto& word : words)
    if (is_in_brackets(word))
      word.insert(word.begin(), hiding_mark);
  return words;
}

bool submit_options::names_file() const {
  return words.size() == 1 && words.front().ends_with(file_ending);
}

void submit_options::unmark_brackets() {
  for (auto& word : words)
    if (word.starts_with(hiding_mark) && is_in_brackets(word))
      word.erase(word.begin());
}

std::string job_of(submit_options options) {
  options.unmark_brackets();
  if (options.words.empty() || options.words.front().empty())
    throw usage_error{"submit: a command is missing; expected one, as in troupe submit -- echo "
                      "hello, or a job file (.toml)"};
  if (options.names_file()) {
    submit_options alone;
    alone.words = options.words;
    if (options != alone)
      throw usage_error{"submit: options of a job beside the job file " +
                        printable(options.words.front()) +
                        "; expected them in the file, or a command behind '--'"};
    return job_in_file(options.words.front());
  }
  refuse_other_than_text(options);
  api_json job{{"groups", api_json::array({group_of(options)})}};
  if (!options.name.empty())
    job["name"] = options.name;
  if (!options.tenant.empty())
    job["tenant"] = options.tenant;
  if (options.priority)
    job["priority"] = *options.priority;
  if (!options.after.empty())
    job["after"] = options.after;
  try {
    return to_json(read_submission(job.dump()));
  } catch (const spec_error& e) {
    throw usage_error{faults_text(e, false)};
  }
}

std::string source_of(const submit_options& options, const std::string& place) {
  if (!options.names_file())
    return option_of(place);
  return printable(options.words.front()) + ": " +
         (place.starts_with('/') ? place.substr(1) : place);
}

void add_submit_options(CLI::App& command, submit_options& o) {
  command
    .add_option("COMMAND", o.words, "The command of each task, behind '--', or a job file (.toml)")
    ->type_name("");
  command.add_option("--name", o.name, "Name of the job")->type_name("NAME");
  command.add_option("--count", o.count, "Number of tasks; default: 1")->type_name("N");
  command.add_option("--cpu", o.cpu, "Cores of each task; default: 1, unless others are given")
    ->type_name("CORES");
  command.add_option("--memory", o.memory, "Memory of each task, such as 256MiB")
    ->type_name("SIZE");
  command.add_option("--gpu", o.gpu, "Cards of each task")->type_name("CARDS");
  command
    .add_option("--constraint", o.constraints,
                "What machines must have, such as 'zone=a'; may be repeated")
    ->type_name("TEXT")
    ->allow_extra_args(false);
  command.add_option("--priority", o.priority, "Higher ones go first; default: 0")->type_name("P");
  command.add_option("--tenant", o.tenant, "Tenant of the job")->type_name("NAME");
  command.add_flag("--gang", o.gang, "All tasks start together or not at all");
  command.add_option("--after", o.after, "Start once this job has succeeded; may be repeated")
    ->type_name("JOB")
    ->allow_extra_args(false);
  command.add_option("--timeout", o.timeout, "End a task that runs longer, such as 60s")
    ->type_name("TIME");
  command.add_option("--grace", o.grace, "Time from SIGTERM to SIGKILL; default: 5s")
    ->type_name("TIME");
  command
    .add_option("--lease", o.lease, "Time that a task may run unheard of; default: 60s; forever")
    ->type_name("TIME");
  command
    .add_option("--retries", o.retries, "Run a task that fails so many times more; default: 0")
    ->type_name("N");
  command.add_option("--env", o.env, "Variable of the environment; may be repeated")
    ->type_name("NAME=VALUE")
    ->allow_extra_args(false);
  command.add_option("--dir", o.dir, "Working directory; default: a new one for each attempt")
    ->type_name("DIR");
}

} // namespace troupe
