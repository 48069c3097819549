#include "report/page/tables/headline.hpp"

#include "report/text/text.hpp"
#include "settings/toml/duration_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

const json* find(const json& of, const char* path) {
  const json::json_pointer at{path};
  return of.contains(at) ? &of[at] : nullptr;
}

std::optional<double> number(const json& of, const char* path) {
  const auto* const value = find(of, path);
  return value != nullptr && value->is_number() ? std::optional(value->get<double>())
                                                : std::nullopt;
}

std::string text(const json& of, const char* path, std::string (*as)(double)) {
  const auto x = number(of, path);
  return x ? as(*x) : "-";
}

std::string count(double x) {
  return count_text(static_cast<std::uint64_t>(std::max(x, 0.0)));
}

/// Returns an estimate of delays, marked if it is a lower bound.
std::string delay(const json& summary, const std::string& name) {
  const auto* const bounds = find(summary, "/scheduling_delay_s/at_least");
  const bool bound = bounds != nullptr && std::ranges::find(*bounds, json(name)) != bounds->end();
  return (bound ? "\u2265 " : "") +
         text(summary, ("/scheduling_delay_s/" + name).c_str(), seconds_text);
}

headline_card placed_card(const json& s) {
  const auto submitted = number(s, "/tasks/submitted").value_or(0);
  const auto n = number(s, "/tasks/placed").value_or(0);
  return {"Placements", count(n),
          // Tasks that are lost or preempted are placed again.
          n > submitted    ? fmt::format("of {} submitted tasks, some again", count(submitted))
          : submitted == 0 ? "no task was submitted"
                           : fmt::format("{} of {} submitted tasks", percent_text(n / submitted),
                                         count(submitted))};
}

headline_card delays_card(const json& s) {
  return {"Delay p50 / p99", delay(s, "p50") + " / " + delay(s, "p99"),
          fmt::format("mean {}, max {}", delay(s, "mean"), delay(s, "max"))};
}

headline_card conflicts_card(const json& s) {
  std::string causes;
  for (const auto* cause : {"taken", "changed", "gone", "moved"})
    if (const auto n = number(s, fmt::format("/conflicts_by_cause/{}", cause).c_str());
        n.value_or(0) > 0)
      causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", count(*n), cause);
  const auto share = number(s, "/conflict_fraction");
  return {
    "Conflicts",
    fmt::format("{}{}", text(s, "/conflicts", count), share ? ", " + percent_text(*share) : ""),
    causes.empty() ? "no placement was refused" : causes};
}

headline_card utilization_card(const json& s) {
  return {"Utilization", text(s, "/utilization/mean", percent_text),
          "mean; max " + text(s, "/utilization/max", percent_text)};
}

headline_card quality_card(const json& s) {
  return {"Quality", text(s, "/quality/mean", number_text),
          "mean score; standard deviation " + text(s, "/quality/stddev", number_text)};
}

headline_card staleness_card(const run_folder& run) {
  const auto bound = staleness_bound_of(run);
  return {"Staleness", text(run.summary, "/staleness_s/mean", seconds_text),
          !number(run.summary, "/staleness_s/mean") ? "views are not refreshed by sync rounds"
          : bound > 0
            ? "mean; oldest partition " + text(run.summary, "/oldest_partition_s", seconds_text) +
                ", bound " + seconds_text(bound)
            : "mean; oldest partition " + text(run.summary, "/oldest_partition_s", seconds_text)};
}

headline_card checks_card(const json& s) {
  std::size_t passed = 0;
  std::string failed;
  for (const auto& check : s["checks"])
    if (check.value("passed", false))
      ++passed;
    else
      failed += (failed.empty() ? "" : "; ") + check.value("name", std::string{});
  return {"Self-checks", fmt::format("{} of {} pass", passed, s["checks"].size()),
          failed.empty() ? "see below" : "failed: " + failed, !failed.empty()};
}

/// Returns a text that is broken only before and after a slash, and after a comma.
std::string unbroken(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto before = i > 0 ? text[i - 1] : ' ';
    const auto after = i + 1 < text.size() ? text[i + 1] : ' ';
    if (text[i] == ' ' && before != '/' && before != ',' && after != '/')
      out += "\u00a0";
    else
      out += text[i];
  }
  return out;
}

std::string card_html(const headline_card& card) {
  return fmt::format("<div class=\"card{}\"><h2>{}</h2><p class=\"value\">{}</p><p>{}</p></div>\n",
                     card.bad ? " bad" : "", escaped(card.title), escaped(unbroken(card.value)),
                     escaped(card.note));
}

duration duration_at(const json& config, const char* path) {
  const auto* const value = find(config, path);
  try {
    return value != nullptr && value->is_string() ? parse_duration(value->get<std::string>())
                                                  : duration{0};
  } catch (const std::invalid_argument&) {
    return duration{0};
  }
}

} // namespace

double staleness_bound_of(const run_folder& run) {
  const auto& all = run.summary["checks"];
  const bool bounded = std::ranges::any_of(all, [](const json& check) {
    return check.value("name", std::string{}) == "staleness within its bound";
  });
  if (!bounded || run.summary.value("clock", std::string{}) != "virtual")
    return 0;
  const auto& c = run.config;
  return to_seconds(duration_at(c, "/sync/gap") +
                    2 * (duration_at(c, "/network/latency") + duration_at(c, "/network/jitter")));
}

std::vector<headline_card> cards_of(const run_folder& run) {
  const auto& s = run.summary;
  return {placed_card(s),  delays_card(s),      conflicts_card(s), utilization_card(s),
          quality_card(s), staleness_card(run), checks_card(s)};
}

std::string headline_html(std::span<const run_folder> runs) {
  if (runs.size() == 1) {
    std::string out = "<section class=\"cards\">\n";
    for (const auto& card : cards_of(runs.front()))
      out += card_html(card);
    return out + "</section>\n";
  }
  html_table table{"", {""}, {}, false};
  for (const auto& run : runs) {
    table.header.push_back(run.label);
    const auto cards = cards_of(run);
    table.rows.resize(2 * cards.size());
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if (table.rows[2 * i].empty()) {
        table.rows[2 * i].push_back(cards[i].title);
        table.rows[2 * i + 1].emplace_back();
      }
      table.rows[2 * i].push_back(cards[i].value);
      table.rows[2 * i + 1].push_back(cards[i].note);
    }
  }
  return "<section class=\"headline\">\n" + to_html(table) + "</section>\n";
}

std::string sentence_about(const run_folder& run) {
  const auto& s = run.summary;
  std::uint64_t schedulers = 0;
  for (const auto& group : s["groups"])
    schedulers += group.value("schedulers", std::uint64_t{0});
  if (const auto pool = number(run.config, "/pool"); pool && *pool > 0)
    schedulers = static_cast<std::uint64_t>(*pool);
  const auto architecture = s.value("architecture", std::string{});
  const auto policy = s.value("policy", std::string{});
  const auto interrupted = s.value("interrupted", false);
  return fmt::format(
    "{}{} with {} machines and {} scheduler{} for {} of {} time, seed {}{}. Of {} submitted "
    "tasks {} finished, and {} failed, were lost or were abandoned.",
    architecture, architecture == policy ? "" : " with the policy " + policy,
    text(s, "/machines", count), count_text(schedulers), schedulers == 1 ? "" : "s",
    text(s, "/simulated_seconds", seconds_text), s.value("clock", std::string{}),
    s["seed"].get<std::uint64_t>(), interrupted ? ", until it was interrupted" : "",
    text(s, "/tasks/submitted", count), text(s, "/tasks/finished", count),
    count(number(s, "/tasks/failed").value_or(0) + number(s, "/tasks/lost").value_or(0) +
          number(s, "/tasks/abandoned").value_or(0)));
}

} // namespace troupe
