#include "cluster/cluster_story.hpp"
#include "commands/commands.hpp"
#include "report/explain/why_not.hpp"
#include "settings/toml/duration_text.hpp"
#include "support/explain_input.hpp"
#include "support/json_output.hpp"
#include "support/recorded_why_not.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <ranges>

namespace troupe {

namespace {

constexpr const char* why_not_examples = R"(Examples:
  troupe why-not 812.3 --in results/quickstart-1
  troupe why-not 812.3 1204 --in results/quickstart-1
  troupe why-not 812.3 1204 --in results/quickstart-1 --at 14.2s
  troupe why-not 812.3 1204 --cluster cluster

Tells why a task is on no machine, or not on MACHINE: by the view of its scheduler, and by the
truth of the owners. Without --at: of a task that was placed, when its last machine was picked; of
one that waits, at the end of the run. The run is made again for that, from DIR/config.toml.
Of a run in real time, it tells what its records say, and which machines are excluded for good.
Exit code: 0 answered, 1 no such task, 2 bad use.)";

struct why_not_options {
  explain_input input;
  std::string machine;
  std::string at;
  cluster_access access{}; ///< without results: of a running cluster
};

int why_not_in_cluster(const why_not_options& options) {
  if (!options.at.empty())
    throw usage_error{fmt::format("why-not: --at {}: the records of a cluster tell of no instant; "
                                  "expected no --at",
                                  options.at)};
  return tell_from_cluster("why-not", {options.input.task, true, options.machine}, options.access,
                           options.input.as_json);
}

std::optional<machine_id> machine_of(const why_not_options& options, const run_settings& settings) {
  if (options.machine.empty())
    return std::nullopt;
  std::uint64_t m = 0;
  std::size_t used = 0;
  try {
    m = std::stoull(options.machine, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const bool known = settings.cluster.machines == 0 || m < settings.cluster.machines;
  if (used != options.machine.size() || options.machine.starts_with('-') || !known)
    throw usage_error{fmt::format("why-not: '{}' is no machine; expected a number{}",
                                  options.machine,
                                  settings.cluster.machines == 0
                                    ? std::string{}
                                    : fmt::format(" from 0 to {}", settings.cluster.machines - 1))};
  return static_cast<machine_id>(m);
}

std::optional<instant> instant_of(const why_not_options& options) {
  if (options.at.empty())
    return std::nullopt;
  try {
    return parse_duration(options.at);
  } catch (const std::exception& e) {
    throw usage_error{fmt::format("why-not: --at {}: expected {}", options.at, e.what())};
  }
}

machine_wish wish_in(const job& of, std::uint32_t task, const catalog& machines) {
  const auto& group = of.groups[group_of_task(of, task)];
  return {group.demand, group.constraints, machines.task_classes() > 1 ? group.task_class : 0,
          of.spread};
}

why_not_facts facts_of(const replay_answer& answer, const replay_question& question) {
  why_not_facts facts;
  facts.task = {question.job, *question.task};
  facts.machine = question.machine;
  facts.at = answer.until;
  if (!answer.look)
    return facts;
  const auto& look = *answer.look;
  facts.at = look.at;
  facts.in = look.in;
  facts.truth = look.truth;
  facts.asked_truth = look.asked_truth;
  facts.asked_waiting = look.asked_waiting;
  facts.placed_per_s = look.placed_per_s;
  facts.probes = look.probes;
  facts.from_plugin = look.from_plugin;
  facts.owner_lives = look.owner_lives;
  for (const auto& e : answer.events)
    if (e.what == watched::ended && e.task == *question.task && e.since <= facts.at)
      facts.fate = e.fate;
  // A scheduler that probes, and one that places: a running task is in none of its queues.
  if (facts.in.where == task_situation::place::waits && !facts.probes && answer.what) {
    const auto story = tell_story(*answer.what, *question.task, answer.events, facts.at);
    if (!story.runs.empty() && story.runs.back().end == run_end::runs) {
      facts.in.where = task_situation::place::running;
      facts.in.machine = story.runs.back().machine;
    }
  }
  return facts;
}

/// Of a task that was placed: facts about the decision by which it was.
bool use_last_pick(why_not_facts& facts, const replay_answer& answer, const task_story& story) {
  for (const auto& a : story.attempts | std::views::reverse)
    if (a.pick) {
      facts.at = a.began;
      facts.pick = a.pick;
      facts.picked = a.machine;
      facts.in.scheduler = a.scheduler;
      facts.in.wish = wish_in(*answer.what, story.task.index, *answer.machines);
      facts.fate = {};
      return true;
    }
  return false;
}

int why_not_from_records(const explained_run& run, const why_not_options& options) {
  if (!options.at.empty())
    throw usage_error{fmt::format("why-not: --at {}: {}, and its records tell of no instant; "
                                  "expected no --at",
                                  options.at, run.why_no_replay())};
  const recorded_why_not answer{run, machine_of(options, run.settings())};
  if (options.input.as_json)
    print_json(answer.json());
  else
    print_sentences(answer.sentences());
  return exit_code::done;
}

int why_not(const why_not_options& options) {
  const auto& input = options.input;
  const explained_run run{"why-not", input};
  if (!run.asked().task)
    throw usage_error{fmt::format("why-not: '{}' is a job; expected one of its tasks, such as {}.0",
                                  input.task, input.task)};
  if (!run.why_no_replay().empty())
    return why_not_from_records(run, options);
  replay_question question{run.asked().job, run.asked().task, machine_of(options, run.settings()),
                           instant_of(options), false};
  auto answer = run.replay(question);
  if (question.machine && *question.machine >= answer.machines->machines())
    throw usage_error{fmt::format("why-not: '{}' is no machine; expected a number from 0 to {}",
                                  options.machine, answer.machines->machines() - 1)};
  auto facts = facts_of(answer, question);
  if (!question.at && answer.what) {
    const auto story = tell_story(*answer.what, *question.task, answer.events, answer.until);
    const bool placed =
      !story.runs.empty() && (story.fate || story.runs.back().end == run_end::runs);
    if (placed && !use_last_pick(facts, answer, story) && !story.attempts.empty()) {
      // Machines were probed: look at the last instant before the task was sent to one.
      question.at = story.attempts.back().decided - duration{1};
      answer = run.replay(question);
      facts = facts_of(answer, question);
    }
  }
  const auto said =
    answer_why_not(facts, *answer.machines, run.names(), input.unfinished ? "" : input.directory);
  if (input.as_json) {
    nlohmann::ordered_json all = {{"name", run.names().task(facts.task)}};
    all.update(why_not_json(facts, said, run.names()));
    print_json(all);
  } else {
    print_sentences(said.sentences);
  }
  return exit_code::done;
}

} // namespace

void add_why_not_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("why-not", "Tell why a task is on no machine, or not on one");
  command->footer(why_not_examples);
  auto options = std::make_shared<why_not_options>();
  command->add_option("TASK", options->input.task, "JOB.TASK or GROUP/JOB.TASK, as in the records")
    ->required()
    ->type_name("");
  command->add_option("MACHINE", options->machine, "The machine; default: all of them")
    ->type_name("");
  command->add_option("--at", options->at, "The time in the run, such as 14.2s")->type_name("TIME");
  auto* cluster =
    command
      ->add_option("--cluster", options->access.directory,
                   "Instead of --in: the --dir of a running cluster; default: cluster")
      ->type_name("DIR");
  add_result_options(*command, options->input)->excludes(cluster);
  command->callback([&chosen, options] {
    chosen = [options] {
      return options->input.directory.empty() ? why_not_in_cluster(*options) : why_not(*options);
    };
  });
}

} // namespace troupe
