#include "support/explain_input.hpp"

#include "cluster/parent.hpp"
#include "commands/commands.hpp"
#include "report/json/parse_json.hpp"
#include "report/results/results_format.hpp"
#include "report/text/text.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/policy_configs.hpp"
#include "settings/toml/duration_text.hpp"
#include "support/inputs.hpp"
#include "support/json_output.hpp"
#include "support/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

namespace fs = std::filesystem;

template <class Number>
bool read_number(std::string_view text, Number& to) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  return !text.empty() && error == std::errc{} && end == text.data() + text.size();
}

std::string text_of(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// The policy of a scheduler at an instant.
std::string policy_at(const run_settings& settings, scheduler_id s, instant at) {
  if (s >= settings.schedulers || probes(settings, s))
    return "";
  const auto alike = alike_of(settings, s);
  auto policy = alike.scheduler.policy;
  for (const auto& [when, choice] : changes_of(alike, settings))
    if (when <= at)
      policy = choice.policy;
  return policy;
}

} // namespace

CLI::Option* add_result_options(CLI::App& command, explain_input& input) {
  auto* in = command.add_option("--in", input.directory, "Directory with the results of the run")
               ->type_name("DIR");
  command.add_flag("--quiet,-q", input.quiet, "Do not say that the run is made again");
  add_json_option(command, input.as_json);
  // Used by processes of this program.
  command.add_option("--until", input.until)->group("");
  command.add_flag("--unfinished", input.unfinished)->group("");
  command.add_option("--end-with", input.end_with)->group("");
  return in;
}

explained_run::explained_run(std::string command, const explain_input& input)
  : command_(std::move(command)),
    directory_(input.directory),
    quiet_(input.quiet),
    unfinished_(input.unfinished) {
  if (input.end_with != 0)
    end_with_parent(static_cast<pid_t>(input.end_with));
  if (!input.until.empty())
    until_ = parse_duration(input.until);
  const auto config = directory_ / "config.toml";
  if (!fs::exists(config))
    throw usage_error{fmt::format("{}: --in {}: there are no results of a run, as it has no "
                                  "config.toml",
                                  command_, directory_.string())};
  check_results_format(directory_);
  settings_ = read_input({config.string(), {}});
  names_.settings = &settings_;
  names_.policy = [this](scheduler_id s, instant at) { return policy_at(settings_, s, at); };
  asked_ = parse(input.task);
  rows_ = read_job_rows(directory_, asked_.job);
  if (rows_.recorded && !rows_.of_job && !unfinished_)
    refuse_unknown("jobs.csv.gz has no such job");
  if (rows_.of_job && asked_.task) {
    std::uint32_t tasks = 0;
    if (read_number((*rows_.of_job)["tasks"], tasks) && *asked_.task >= tasks)
      refuse_unknown(
        fmt::format("job {} has {} task{}", names_.job(asked_.job), tasks, tasks == 1 ? "" : "s"));
  }
  check_replay();
}

named_task explained_run::parse(const std::string& text) const {
  const auto bad = [&](const std::string& expected) {
    return usage_error{fmt::format("{}: '{}' is no task; expected {}", command_, text, expected)};
  };
  named_task named;
  std::string_view rest{text};
  std::optional<std::uint64_t> group;
  if (const auto slash = rest.rfind('/'); slash != std::string_view::npos) {
    const auto name = rest.substr(0, slash);
    for (std::size_t g = 0; g < settings_.groups.size(); ++g)
      if (settings_.groups[g].name == name)
        group = g;
    if (!group) {
      std::string known;
      for (const auto& g : settings_.groups)
        known += (known.empty() ? "" : ", ") + g.name;
      throw bad("one of the groups " + known + " before the /");
    }
    rest = rest.substr(slash + 1);
  }
  const auto dot = rest.find('.');
  const bool right = read_number(rest.substr(0, dot), named.job);
  std::uint32_t index = 0;
  if (dot != std::string_view::npos) {
    if (!read_number(rest.substr(dot + 1), index))
      throw bad("JOB.TASK with two whole numbers, such as 12.3");
    named.task = index;
  }
  if (!right || (group && named.job >> 40 != 0))
    throw bad("JOB.TASK with two whole numbers, such as 12.3");
  if (group)
    named.job |= *group << 40;
  return named;
}

void explained_run::check_replay() {
  if (settings_.clock != clock_kind::virtual_time)
    why_no_replay_ = "the run was in real time, and cannot be made again";
}

void explained_run::refuse_unknown(const std::string& why) const {
  throw std::runtime_error(
    fmt::format("{}: there is no {} {} {}: {}", command_, asked_.task ? "task" : "job",
                asked_.task ? names_.task({asked_.job, *asked_.task}) : names_.job(asked_.job),
                unfinished_ ? "so far" : "in " + directory_.string(), why));
}

replay_answer explained_run::replay(const replay_question& asked) const {
  auto question = asked;
  question.until = until_;
  if (!quiet_) {
    const auto summary = read_json(directory_ / "summary.json");
    std::string how_long;
    if (summary.is_object() && summary.contains("host") &&
        summary["host"].contains("wall_seconds") && summary["host"]["wall_seconds"].is_number())
      how_long =
        ", which takes " + seconds_text(summary["host"]["wall_seconds"].get<double>()) + " at most";
    std::cerr << "troupe: the run is made again" << how_long << std::endl;
  }
  auto answer = troupe::replay(settings_, question, text_of(directory_ / "timeseries.csv"));
  if (!answer.differs.empty())
    throw std::runtime_error(
      fmt::format("{}: {}: {}", command_, directory_.string(), answer.differs));
  if (!answer.what && !question.at)
    refuse_unknown("no scheduler had it until " + at_text(answer.until));
  if (answer.what && question.task && *question.task >= answer.what->task_count())
    refuse_unknown(
      fmt::format("job {} has {} tasks", names_.job(question.job), answer.what->task_count()));
  return answer;
}

void print_sentences(const std::vector<std::string>& sentences) {
  for (const auto& s : sentences)
    std::cout << in_lines(s, 2);
}

} // namespace troupe
