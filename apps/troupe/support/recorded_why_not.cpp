#include "support/recorded_why_not.hpp"

#include "commands/commands.hpp"
#include "model/records/records.hpp"
#include "report/explain/story_json.hpp"
#include "report/text/text.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/build_catalog.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/traced_cluster.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

namespace troupe {

namespace {

double number_in(const std::string& text) {
  return text.empty() ? 0 : std::strtod(text.c_str(), nullptr);
}

std::optional<wait_reason> reason_named(const std::string& name) {
  const auto it = std::ranges::find(wait_reason_names, name);
  return name.empty() || it == std::end(wait_reason_names)
           ? std::nullopt
           : std::optional{static_cast<wait_reason>(it - std::begin(wait_reason_names))};
}

/// The group of jobs with a name, or null.
const group_settings* group_named(const run_settings& settings, const std::string& name) {
  const auto it = std::ranges::find(settings.groups, name, &group_settings::name);
  return it == settings.groups.end() ? nullptr : &*it;
}

} // namespace

recorded_why_not::recorded_why_not(const explained_run& run, std::optional<machine_id> machine)
  : run_(run), machine_(machine) {
  if (!run.rows().tasks_recorded)
    throw usage_error{
      fmt::format("why-not: --in {}: {}, and there are no records of tasks; expected a run with "
                  "--records tasks",
                  run.directory().string(), run.why_no_replay())};
  const auto job = run.asked().job;
  auto rows = read_rows_of(run.directory() / "tasks.csv.gz", job, run.asked().task);
  if (rows.empty())
    run.refuse_unknown("the records, which have what is over, do not have it yet");
  row_ = std::move(rows.back());
  refusals_ = read_rows_of(run.directory() / "attempts.csv.gz", job, run.asked().task);
  examine_machines();
  find_verdict();
}

std::string recorded_why_not::cell(const char* name) const {
  const auto it = row_.find(name);
  return it == row_.end() ? std::string{} : it->second;
}

void recorded_why_not::examine_machines() {
  const auto& settings = run_.settings();
  wish_.demand =
    to_resources(number_in(cell("cpu_cores")), number_in(cell("memory_gib")),
                 number_in(cell("gpus")), static_cast<std::int32_t>(number_in(cell("slots"))));
  const auto* group = group_named(settings, cell("group"));
  knows_constraints_ = group != nullptr && group->workload.file.empty() &&
                       std::ranges::all_of(group->workload.requests,
                                           [](const auto& r) { return r.constraints.empty(); });
  if (knows_constraints_)
    for (const auto& text : group->workload.constraints)
      wish_.constraints.push_back(parse_constraint(text));
  std::optional<traced_cluster> cluster;
  try {
    cluster.emplace(build_machines(settings));
  } catch (const std::exception& e) { // such as a trace that is not there any more
    no_survey_ = e.what();
    return;
  }
  const auto& machines = cluster->machines;
  if (machine_ && *machine_ >= machines.machines())
    throw usage_error{fmt::format("why-not: '{}' is no machine; expected a number from 0 to {}",
                                  *machine_, machines.machines() - 1)};
  const auto s = static_cast<scheduler_id>(number_in(cell("scheduler")));
  std::vector<bool> shared(machines.partitions(), true);
  if (s < settings.schedulers && !probes(settings, s)) {
    const auto limits = limits_of(alike_of(settings, s).scheduler, settings, s);
    if (const auto reach = limits.share.reach(); !reach.empty()) {
      shared.assign(shared.size(), false);
      for (const auto p : reach)
        shared[p] = true;
    }
  }
  const auto idle = [&](machine_id m) {
    machine_facts facts;
    facts.free = machines.machine(m).capacity;
    facts.shared = shared[machines.place_of(m).partition];
    return facts;
  };
  if_idle_ = survey(machines, wish_, idle);
  if (machine_)
    asked_ = examine(machines, wish_, *machine_, idle(*machine_));
}

void recorded_why_not::find_verdict() {
  const auto state = choice_named<record_state>(cell("state"));
  if (state == record_state::running)
    verdict_ = placing_verdict::placed;
  else if (state >= record_state::finished)
    verdict_ = placing_verdict::over;
  else if (no_survey_.empty() && if_idle_.fits() == 0)
    verdict_ = placing_verdict::never;
  else
    verdict_ = placing_verdict::in_doubt;
}

std::string recorded_why_not::verdict_text() const {
  const auto name = run_.names().task({run_.asked().job, *run_.asked().task});
  if (verdict_ == placing_verdict::placed)
    return fmt::format("Placed: task {} ran on machine {} at the end of the records.", name,
                       cell("machine"));
  if (verdict_ == placing_verdict::over)
    return cell("machine").empty()
             ? fmt::format("Over: task {} was {} at {} s.", name, cell("state"), cell("ended_s"))
             : fmt::format("Over: task {} ran on machine {}, and was {} at {} s.", name,
                           cell("machine"), cell("state"), cell("ended_s"));
  if (verdict_ == placing_verdict::never)
    return fmt::format("Never: task {} asks for {}; no machine that its scheduler may use can hold "
                       "it.",
                       name, demand_text(wish_.demand));
  const auto why = reason_named(cell("reason"));
  return fmt::format("In doubt: task {} waited {} at the end of the records.", name,
                     reason_text(why.value_or(wait_reason::none)));
}

std::string recorded_why_not::machines_text() const {
  const auto fits = if_idle_.fits();
  auto text = fmt::format("By the settings, of {} machines {} could hold it if they had room",
                          count_text(if_idle_.machines), count_text(fits));
  for (const auto& line : if_idle_.lines)
    if (line.check != machine_check::fits)
      text += ", " + line_text(line, wish_);
  text += '.';
  if (!knows_constraints_)
    text += " Its constraints are not known: they may exclude more.";
  return text;
}

std::vector<std::string> recorded_why_not::machine_texts() const {
  std::vector<std::string> all;
  const auto where = fmt::format("Machine {}", *machine_);
  if (asked_->check == machine_check::fits)
    all.push_back(where + " could hold the task if it had room.");
  else
    all.push_back(fmt::format("{}: {}.", where, finding_text(*asked_, wish_)));
  for (const auto& r : refusals_)
    if (r.at("machine") == std::to_string(*machine_))
      all.push_back(fmt::format("Owner {} refused attempt {} of it there at {} s: {}; the last "
                                "grant there was to scheduler {}.",
                                r.at("owner"), r.at("attempt"), r.at("time_s"), r.at("cause"),
                                r.at("winner")));
  if (cell("machine") == std::to_string(*machine_))
    all.push_back("Its last run was there.");
  return all;
}

std::vector<std::string> recorded_why_not::sentences() const {
  std::vector<std::string> all{verdict_text()};
  if (!no_survey_.empty())
    all.push_back("The machines cannot be examined: " + no_survey_ + ".");
  else if (machine_)
    std::ranges::move(machine_texts(), std::back_inserter(all));
  else
    all.push_back(machines_text());
  if (!refusals_.empty() && !machine_)
    all.push_back(fmt::format("{} of its attempts {} refused; troupe explain tells of each.",
                              count_text(refusals_.size()),
                              refusals_.size() == 1 ? "was" : "were"));
  all.push_back("What machines had free, and what its scheduler knew of them, is not known: " +
                run_.why_no_replay() + ".");
  return all;
}

nlohmann::ordered_json recorded_why_not::json() const {
  const auto at =
    cell("ended_s").empty() ? to_seconds(run_.settings().length) : number_in(cell("ended_s"));
  return {{"name", run_.names().task({run_.asked().job, *run_.asked().task})},
          {"job", run_.asked().job},
          {"task", *run_.asked().task},
          {"group", cell("group")},
          {"at_s", at},
          {"verdict", name_of(verdict_)},
          {"reason", cell("reason")},
          {"scheduler", static_cast<std::uint64_t>(number_in(cell("scheduler")))},
          {"ahead", 0},
          {"ahead_of_higher_priority", 0},
          {"machine", machine_ ? nlohmann::ordered_json(*machine_) : nullptr},
          {"picked", nullptr},
          {"machine_by_view", nullptr},
          {"machine_by_owner", nullptr},
          {"by_view", nullptr},
          {"by_owners", nullptr},
          {"why_not_replayed", run_.why_no_replay()},
          {"machine_if_idle", finding_json(asked_, wish_)},
          {"if_idle", no_survey_.empty() ? survey_json(if_idle_, wish_) : nullptr},
          {"sentences", sentences()}};
}

} // namespace troupe
