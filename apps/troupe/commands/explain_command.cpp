#include "cluster/cluster_access.hpp"
#include "cluster/cluster_story.hpp"
#include "commands/commands.hpp"
#include "report/explain/story_json.hpp"
#include "report/explain/story_text.hpp"
#include "support/explain_input.hpp"
#include "support/json_output.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

constexpr const char* explain_examples = R"(Examples:
  troupe explain 812.3 --in results/quickstart-1
  troupe explain web/12.3 --in results/two-groups-1
  troupe explain 812 --in results/quickstart-1
  troupe explain 812.3 --cluster cluster

Tells what happened to a task: each wait and its reason, each attempt, from what its machine was
picked, each refusal with its cause and winner, each run. A run in virtual time is made again for
that, from DIR/config.toml, up to the end of the task. Of a run in real time it tells what
DIR/tasks.csv.gz and DIR/attempts.csv.gz say (troupe run --records tasks). Without --in it asks the
running cluster, which knows what is over by its records.
Exit code: 0 answered, 1 no such task, 2 bad use.)";

std::string cell(const record_row& row, const char* name) {
  const auto it = row.find(name);
  return it == row.end() ? std::string{} : it->second;
}

/// Returns the reason with a name, or nothing if there is none.
std::optional<wait_reason> wait_reason_of(const std::string& name) {
  const auto it = std::ranges::find(wait_reason_names, name);
  return name.empty() || it == std::end(wait_reason_names)
           ? std::nullopt
           : std::optional{static_cast<wait_reason>(it - std::begin(wait_reason_names))};
}

/// What the records alone say, for runs that cannot be made again.
std::vector<std::string> sentences_of_rows(const explained_run& run) {
  std::vector<std::string> all;
  const auto& rows = run.rows();
  const auto job = run.asked().job;
  const auto task = run.asked().task;
  if (!task && rows.of_job) {
    const auto& j = *rows.of_job;
    all.push_back(fmt::format("Job {} of group {} is {}: {} tasks, submitted at {} s to scheduler "
                              "{}, {} placements, {} conflicts.",
                              run.names().job(run.asked().job), cell(j, "group"), cell(j, "state"),
                              cell(j, "tasks"), cell(j, "submitted_s"), cell(j, "scheduler"),
                              cell(j, "placed"), cell(j, "conflicts")));
  }
  for (const auto& t : read_rows_of(run.directory() / "tasks.csv.gz", job, task)) {
    auto text = fmt::format("Task {}.{} is {}", run.names().job(run.asked().job), cell(t, "task"),
                            cell(t, "state"));
    if (!cell(t, "machine").empty())
      text +=
        fmt::format(", on machine {} (partition {}{}{})", cell(t, "machine"), cell(t, "partition"),
                    cell(t, "owner").empty() ? "" : ", owner ", cell(t, "owner"));
    text += fmt::format(". It was submitted at {} s to scheduler {}", cell(t, "submitted_s"),
                        cell(t, "scheduler"));
    // Of a scheduler from a plugin it is not known when it began to decide.
    const auto* plugin_decided = cell(t, "wait_s").empty() ? "decided_s" : "";
    for (const auto& [column, words] : {std::pair{"wait_s", "waited {} s"},
                                        {"decision_s", "was decided on for {} s"},
                                        {plugin_decided, "was committed at {} s"},
                                        {"commit_s", "was in commit for {} s"},
                                        {"started_s", "started at {} s"},
                                        {"ended_s", "ended at {} s"}})
      if (!cell(t, column).empty())
        text += ", " + fmt::format(fmt::runtime(words), cell(t, column));
    text += '.';
    if (const auto why = wait_reason_of(cell(t, "reason")))
      text += fmt::format(" At the end of the run it waited {}.", reason_text(*why));
    all.push_back(std::move(text));
  }
  for (const auto& r : read_rows_of(run.directory() / "attempts.csv.gz", job, task)) {
    auto text = fmt::format(
      "Attempt {} of task {} was refused by owner {} at {} s: machine {} {}; the last grant there "
      "was to scheduler {}.",
      cell(r, "attempt"), cell(r, "task"), cell(r, "owner"), cell(r, "time_s"), cell(r, "machine"),
      cell(r, "cause"), cell(r, "winner"));
    if (const auto why = wait_reason_of(cell(r, "reason")))
      text += fmt::format(
        " From then on it waited {}{}.", reason_text(*why),
        cell(r, "retry_at_s").empty()
          ? std::string{}
          : fmt::format("; the next attempt was not to begin before {} s", cell(r, "retry_at_s")));
    all.push_back(std::move(text));
  }
  return all;
}

int explain_from_rows(const explained_run& run, const explain_input& input) {
  const auto& rows = run.rows();
  if (!rows.recorded || (run.asked().task && !rows.tasks_recorded))
    throw usage_error{fmt::format(
      "explain: --in {}: {}, and there are no records of {}; expected a run with --records {}",
      input.directory, run.why_no_replay(), run.asked().task ? "tasks" : "jobs",
      run.asked().task ? "tasks" : "jobs")};
  const auto sentences = sentences_of_rows(run);
  if (sentences.empty())
    run.refuse_unknown("the records, which have what is over, do not have it yet");
  if (input.as_json)
    print_json({{"task", input.task},
                {"replayed", false},
                {"why_not_replayed", run.why_no_replay()},
                {"sentences", sentences}});
  else
    print_sentences(sentences);
  return exit_code::done;
}

int explain(const explain_input& input) {
  const explained_run run{"explain", input};
  if (!run.why_no_replay().empty())
    return explain_from_rows(run, input);
  const auto& asked = run.asked();
  const auto answer = run.replay({asked.job, asked.task, {}, {}, false});
  const auto& of = *answer.what;
  std::vector<std::string> sentences;
  nlohmann::ordered_json told;
  if (asked.task) {
    const auto story = tell_story(of, *asked.task, answer.events, answer.until);
    sentences = sentences_of(story, of, *answer.machines, run.names(), answer.until);
    told = story_json(story, of, run.names());
  } else {
    sentences = sentences_of_job(of, answer.events, *answer.machines, run.names(), answer.until);
  }
  if (!input.as_json) {
    print_sentences(sentences);
    return exit_code::done;
  }
  nlohmann::ordered_json all = {
    {"task", asked.task ? run.names().task({asked.job, *asked.task}) : run.names().job(asked.job)},
    {"replayed", true},
    {"until_s", to_seconds(answer.until)},
    {"rows_compared", answer.rows},
    {"sentences", sentences}};
  if (asked.task)
    all["story"] = std::move(told);
  print_json(all);
  return exit_code::done;
}

} // namespace

void add_explain_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("explain", "Tell what happened to a task, and why");
  command->footer(explain_examples);
  auto input = std::make_shared<explain_input>();
  auto access = std::make_shared<cluster_access>();
  command->add_option("TASK", input->task, "JOB.TASK or GROUP/JOB.TASK, as in the records, or JOB")
    ->required()
    ->type_name("");
  auto* in = add_result_options(*command, *input);
  add_cluster_access(*command, *access);
  in->excludes(command->get_option("--cluster"))->excludes(command->get_option("--at"));
  command->callback([&chosen, input, access] {
    chosen = [input, access] {
      return input->directory.empty()
               ? tell_from_cluster("explain", {input->task}, *access, input->as_json)
               : explain(*input);
    };
  });
}

} // namespace troupe
