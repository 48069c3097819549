#include "report/page/tables/notable.hpp"

#include "model/metrics/results.hpp"
#include "report/page/html.hpp"
#include "report/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace troupe {

namespace {

using notable_json = nlohmann::ordered_json;

constexpr std::size_t most_sentences = 5;
/// A phase is odd if its figure is so many times that of the calmest phase.
constexpr double odd_factor = 5;
/// Conflicts and delays below these are not worth a word.
constexpr double least_conflicts = 20;
constexpr double least_delay_s = 0.01;
constexpr double many_conflicts = 0.1; ///< per accepted placement
constexpr double many_rescinded = 0.1; ///< of the offers
constexpr double full = 0.97;          ///< of the schedulers' time or of the machines

double value_at(const notable_json& of, const std::string& path, double otherwise = 0) {
  const notable_json::json_pointer at{path};
  return of.contains(at) && of[at].is_number() ? of[at].get<double>() : otherwise;
}

std::string count_of(double n) {
  return count_text(static_cast<std::uint64_t>(std::max(n, 0.0)));
}

std::string span_of(const notable_json& phase) {
  return fmt::format("{:g} to {:g} s", value_at(phase, "/from_s"), value_at(phase, "/to_s"));
}

/// Compares the phases of each group by the figure at `path`. Those below `least` of `weight` do
/// not count.
void compare_phases(const run_folder& run, const char* what, const std::string& path,
                    const std::string& weight, double least, std::vector<std::string>& to) {
  std::map<std::string, std::vector<const notable_json*>> by_group;
  for (const auto& phase : run.summary["phases"])
    by_group[phase.value("group", std::string{})].push_back(&phase);
  for (const auto& [group, phases] : by_group) {
    const auto figure = [&](const notable_json* p) { return value_at(*p, path); };
    if (phases.size() < 2)
      continue;
    const auto worst = *std::ranges::max_element(phases, {}, figure);
    const auto best = *std::ranges::min_element(phases, {}, figure);
    if (figure(worst) < odd_factor * figure(best) || value_at(*worst, weight) < least)
      continue;
    const auto of = by_group.size() > 1 ? " of group " + group : "";
    if (figure(best) > 0)
      to.push_back(fmt::format("From {}, {}{} {} times those from {}.", span_of(*worst), what, of,
                               "are " + number_text(figure(worst) / figure(best)), span_of(*best)));
    else
      to.push_back(fmt::format("{}{} occur from {}, and none from {}.",
                               char(std::toupper(what[0])) + std::string{what + 1}, of,
                               span_of(*worst), span_of(*best)));
  }
}

void look_at_checks(const run_folder& run, std::vector<std::string>& to) {
  for (const auto& check : run.summary["checks"])
    if (!check.value("passed", false))
      to.push_back(fmt::format("The self-check \"{}\" failed: {}.", check.value("name", ""),
                               check.value("detail", "")));
  if (run.summary.value("interrupted", false))
    to.emplace_back("The run was interrupted.");
}

void look_at_load(const run_folder& run, std::vector<std::string>& to) {
  const auto& s = run.summary;
  for (const auto& group : s["groups"])
    if (const auto busy = value_at(group, "/busyness", value_at(s, "/busyness")); busy >= full)
      to.push_back(fmt::format("The schedulers of group {} decide {} of the time: they cannot "
                               "keep up.",
                               group.value("name", ""), percent_text(busy)));
  if (const auto used = value_at(s, "/utilization/mean"); used >= full)
    to.push_back(fmt::format("The machines are {} full in the mean: tasks wait for room.",
                             percent_text(used)));
}

/// Offers that are asked back before their schedulers have decided.
void look_at_offers(const run_folder& run, std::vector<std::string>& to) {
  for (const auto& group : run.summary["groups"]) {
    const auto made = value_at(group, "/offers/made");
    const auto back = value_at(group, "/offers/rescinded");
    if (back < many_rescinded * made || back == 0)
      continue;
    const auto name = group.value("name", "");
    if (value_at(group, "/offers/accepted") == 0)
      to.push_back(fmt::format("Group {} never used an offer: {} were taken back after "
                               "offers.timeout, before it had decided.",
                               name, count_of(back)));
    else
      to.push_back(fmt::format("{} of {} offers to group {} were taken back after offers.timeout, "
                               "before it had decided.",
                               count_of(back), count_of(made), name));
  }
}

void look_at_conflicts(const run_folder& run, std::vector<std::string>& to) {
  if (const auto share = value_at(run.summary, "/conflict_fraction"); share >= many_conflicts)
    to.push_back(
      fmt::format("There are {} refused placements for 100 accepted.", number_text(100 * share)));
}

void look_at_ends(const run_folder& run, std::vector<std::string>& to) {
  const auto& s = run.summary;
  const auto submitted = value_at(s, "/tasks/submitted");
  for (const auto* fate : {"abandoned", "lost", "failed"})
    if (const auto n = value_at(s, std::string{"/tasks/"} + fate); n > 0)
      to.push_back(fmt::format("{} of {} tasks {}.", count_of(n), count_of(submitted),
                               std::string{fate} == "abandoned" ? "were given up"
                               : std::string{fate} == "lost"    ? "were lost"
                                                                : "failed"));
  const auto waiting = value_at(s, "/tasks/queued") + value_at(s, "/tasks/in_commit");
  if (waiting > 0.01 * submitted && waiting >= 10)
    to.push_back(
      fmt::format("{} tasks, {} of all, still wait at the end: delays are estimates that include "
                  "them.",
                  count_of(waiting), percent_text(waiting / submitted)));
}

void look_at_failures(const run_folder& run, std::vector<std::string>& to) {
  double failures = 0;
  if (run.summary.contains("failures"))
    for (const auto& [kind, n] : run.summary["failures"].items())
      failures += n.is_number() ? n.get<double>() : 0;
  const auto times = [&](run_event_kind kind) {
    return std::ranges::count(run.events.text("event"), name_of(kind));
  };
  const auto takeovers = times(run_event_kind::takeover);
  const auto nodes = times(run_event_kind::node_lost);
  const auto number_of = [](auto n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  if (failures > 0)
    to.push_back(fmt::format("{} failure{}, {}.", count_of(failures), failures == 1 ? "" : "s",
                             number_of(takeovers, "takeover")));
  else if (nodes > 0 || takeovers > 0)
    to.push_back(
      fmt::format("{}, {}.", number_of(nodes, "lost node"), number_of(takeovers, "takeover")));
  const auto sent = value_at(run.summary, "/commits/sent");
  const auto again = value_at(run.summary, "/commits/retransmitted");
  if (sent > 0 && again > 0.001 * sent)
    to.push_back(fmt::format("{} of the commits were sent again.", percent_text(again / sent)));
  const auto preempted = value_at(run.summary, "/preemptions/tasks");
  if (preempted > 0)
    to.push_back(fmt::format("{} tasks were preempted, and lost {} of work.", count_of(preempted),
                             seconds_text(value_at(run.summary, "/preemptions/work_lost_s"))));
}

/// Returns the greatest queue of all groups together, in seconds of work at the rate of placement
/// of the run; nothing without rows.
std::optional<double> greatest_queue(const run_folder& run) {
  const auto& ends = run.series.number("to_s");
  const auto& queued = run.series.number("queued");
  const auto seconds = value_at(run.summary, "/simulated_seconds");
  const auto placed = value_at(run.summary, "/tasks/placed");
  if (queued.size() != ends.size() || ends.empty() || !(placed > 0) || !(seconds > 0))
    return std::nullopt;
  std::map<double, double> sums;
  for (std::size_t i = 0; i < ends.size(); ++i)
    sums[ends[i]] += std::isfinite(queued[i]) ? queued[i] : 0;
  double greatest = 0;
  for (const auto& [end, sum] : sums)
    greatest = std::max(greatest, sum);
  return greatest / (placed / seconds);
}

} // namespace

std::vector<std::string> notable_of(const run_folder& run) {
  std::vector<std::string> all;
  look_at_checks(run, all);
  look_at_load(run, all);
  look_at_offers(run, all);
  look_at_ends(run, all);
  look_at_conflicts(run, all);
  compare_phases(run, "conflicts per placement", "/conflict_fraction", "/conflicts",
                 least_conflicts, all);
  compare_phases(run, "delays (p99)", "/scheduling_delay_s/p99", "/scheduling_delay_s/p99",
                 least_delay_s, all);
  look_at_failures(run, all);
  const auto queue = greatest_queue(run);
  if (all.empty())
    all.emplace_back("Nothing is odd.");
  if (queue && *queue > 0)
    all.push_back(fmt::format("The queues never held more than {} of work.", seconds_text(*queue)));
  else if (queue)
    all.emplace_back("The queues were empty at the end of every interval.");
  return all;
}

std::string notable_html(const std::vector<run_folder>& runs) {
  std::string out;
  for (const auto& run : runs) {
    auto all = notable_of(run);
    const auto more = all.size() > most_sentences ? all.size() - most_sentences : 0;
    all.resize(all.size() - more);
    std::string text;
    for (const auto& sentence : all)
      text += " " + sentence;
    if (more > 0)
      text += fmt::format(" And {} more.", more);
    out += fmt::format("<p class=\"sentence\"><b>{}</b>{}</p>\n",
                       runs.size() > 1 ? escaped(run.label) + ":" : "Notable:", escaped(text));
  }
  return "<section class=\"notable\">\n" + (runs.size() > 1 ? "<h2>Notable</h2>\n" + out : out) +
         "</section>\n";
}

} // namespace troupe
