#include "report/top/top_frame.hpp"

#include "report/text/text.hpp"
#include "report/top/top_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace troupe {

namespace {

constexpr const char* bold = "\x1b[1m";
constexpr const char* red = "\x1b[31m";
constexpr const char* yellow = "\x1b[33m";
constexpr const char* plain = "\x1b[0m";

/// Widths of the resources' bars, without their brackets.
constexpr std::size_t bar_width = 18;
constexpr std::size_t spark_length = 20;

std::string clock_text(duration d) {
  const auto s =
    std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::seconds>(d).count(), 0);
  return fmt::format("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string rate_text(std::uint64_t count, const live_row& row) {
  return row.seconds() > 0 ? compact_text(static_cast<double>(count) / row.seconds()) + "/s" : "-";
}

std::string bar(double share, bool utf8) {
  const auto filled = static_cast<std::size_t>(
    std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(bar_width)));
  std::string text = "[";
  for (std::size_t i = 0; i < bar_width; ++i)
    text += i < filled ? (utf8 ? "█" : "#") : " ";
  return text + "]";
}

/// The last delays as a row of small columns, the greatest of them full.
std::string spark(const live_state& state, bool utf8) {
  static constexpr std::array<const char*, 5> ascii{" ", ".", ":", "!", "|"};
  static constexpr std::array<const char*, 5> blocks{" ", "▂", "▄", "▆", "█"};
  const auto& levels = utf8 ? blocks : ascii;
  const auto& rows = state.series.recent();
  const auto n = std::min(rows.size(), spark_length);
  double most = 0;
  for (std::size_t i = rows.size() - n; i < rows.size(); ++i)
    most = std::max(most, rows[i].delay.p99);
  std::string text;
  for (std::size_t i = rows.size() - n; i < rows.size(); ++i) {
    const auto height =
      most > 0 ? static_cast<std::size_t>(std::ceil(rows[i].delay.p99 / most * 4)) : 0;
    text += levels[std::min<std::size_t>(height, 4)];
  }
  return text;
}

std::uint64_t with_state(const live_state& state, live_node_state what) {
  return static_cast<std::uint64_t>(std::ranges::count(state.nodes, what, &live_node::state));
}

template <class Members>
std::uint64_t silent(const Members& members) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
    members, [](const auto& m) { return m.life.state == member_state::silent; }));
}

/// A number of members, and how many of them are in a state that nobody wants.
std::string members_text(const char* name, std::uint64_t all, std::uint64_t some,
                         const char* state) {
  return fmt::format("{} {}", name, all) +
         (some > 0 ? fmt::format(", {} {}", some, state) : std::string{}) + "   ";
}

std::string members_line(const live_state& s) {
  std::string text;
  const auto gone = with_state(s, live_node_state::gone);
  if (!s.nodes.empty())
    text = members_text("nodes", s.nodes.size() - gone, gone, "gone");
  text += members_text("schedulers", s.schedulers.size(), silent(s.schedulers), "silent");
  if (!s.owners.empty())
    text += members_text("owners", s.owners.size(), silent(s.owners), "silent");
  if (s.about.machines == 0) // a cluster that grows
    return text + fmt::format("machines {} up", count_text(s.machines_up()));
  const auto up = std::min(s.machines_up(), s.about.machines);
  return text +
         fmt::format("machines {} up, {} down", count_text(up), count_text(s.about.machines - up));
}

std::string title_line(const live_state& s, const top_view& view) {
  auto text = fmt::format("troupe top  {}  {}/{}  {}  {}", s.about.name, s.about.architecture,
                          s.about.policy, s.about.world, clock_text(s.now));
  if (s.about.length > duration::zero())
    text += " / " + clock_text(s.about.length);
  if (!view.note.empty())
    text += "  [" + view.note + "]";
  else
    text += s.over ? "  [over]" : view.paused ? "  [paused]" : "  [live]";
  return text;
}

std::vector<std::string> total_lines(const live_state& s, bool utf8) {
  std::vector<std::string> lines;
  const auto& rows = s.series.recent();
  const auto row = rows.empty() ? live_row{} : rows.back();
  const auto& t = row.tasks;
  lines.push_back(members_line(s));
  lines.push_back(fmt::format("{:<9}queued {:>11}   in commit {:>9}   running {:>11}", "Tasks",
                              count_text(t.queued), count_text(t.in_commit),
                              count_text(t.running)));
  lines.push_back(fmt::format("{:<9}submitted {:>8}   placed {:>8}   ended {:>8}   lost {:>6}",
                              "Rates", rate_text(t.submitted, row), rate_text(t.placed, row),
                              rate_text(t.finished + t.failed + t.abandoned, row),
                              rate_text(t.lost, row)));
  const auto& d = row.delay;
  lines.push_back(d.count == 0
                    ? fmt::format("{:<9}nothing was placed in the last interval", "Delay")
                    : fmt::format("{:<9}p50 {:>8}  p90 {:>8}  p99 {:>8}  p99: {}", "Delay",
                                  seconds_text(d.p50), seconds_text(d.p90), seconds_text(d.p99),
                                  spark(s, utf8)));
  cause_counts causes{};
  std::uint64_t placed = 0;
  std::uint64_t preempted = 0;
  duration lost{0};
  for (const auto& g : s.groups) {
    for (std::size_t c = 0; c < conflict_causes; ++c)
      causes[c] += g.conflicts_by_cause[c];
    placed += g.tasks.placed;
    preempted += g.preempted.tasks;
    lost += g.preempted.ran;
  }
  std::uint64_t conflicts = 0;
  std::string by_cause;
  for (std::size_t c = 0; c < conflict_causes; ++c) {
    conflicts += causes[c];
    by_cause += fmt::format("   {} {}", to_string(static_cast<conflict_cause>(c)),
                            compact_text(static_cast<double>(causes[c])));
  }
  const auto share = placed > 0 ? static_cast<double>(conflicts) / static_cast<double>(placed) : 0;
  lines.push_back(
    fmt::format("{:<9}{} of the placements{}", "Conflict", percent_text(share), by_cause));
  if (row.age.max > 0)
    lines.push_back(fmt::format("{:<9}age mean {}, max {}   preempted {}   work lost {}", "Views",
                                seconds_text(row.age.mid), seconds_text(row.age.max),
                                count_text(preempted), seconds_text(to_seconds(lost))));
  std::string use;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (s.resources[k].capacity > 0)
      use +=
        fmt::format("{} {:>3.0f} % {}   ", resource_name(static_cast<resource>(k)),
                    s.resources[k].utilization() * 100, bar(s.resources[k].utilization(), utf8));
  lines.push_back(fmt::format("{:<9}{}", "Use", use));
  return lines;
}

std::vector<std::string> help_lines() {
  return {"s o n e    schedulers, owners, nodes, events",
          "< >        sort by the column before or after; greatest first",
          "/          shows only rows with a text; Enter ends it, Esc forgets it",
          "p          pauses, or goes on",
          "q          ends; so does Ctrl-C",
          "?          shows this, or hides it again"};
}

std::string event_line(const live_event& e) {
  auto text = clock_text(e.at) + " " + e.what;
  if (!e.member.empty())
    text += " " + e.member;
  return e.detail.empty() ? text : text + ": " + e.detail;
}

std::vector<std::string> event_lines(const live_state& s, const std::string& filter) {
  std::vector<std::string> lines;
  for (auto e = s.events.rbegin(); e != s.events.rend(); ++e)
    if (auto line = event_line(*e); line.find(filter) != std::string::npos)
      lines.push_back(std::move(line));
  if (lines.empty())
    lines.emplace_back(filter.empty() ? "No failure, takeover, change of policy or phase so far."
                                      : "No event has this text: " + filter);
  return lines;
}

/// Colours a line that fits.
std::string painted(const std::string& line, const char* color, bool wanted) {
  return wanted ? color + line + plain : line;
}

const char* color_of(const std::string& row) {
  if (row.find(" silent") != std::string::npos || row.find(" gone") != std::string::npos)
    return red;
  return row.find(" draining") != std::string::npos || row.find(" waiting") != std::string::npos
           ? yellow
           : nullptr;
}

} // namespace

std::vector<std::string> top_frame(const live_state& state, const top_view& view) {
  if (view.width < least_top_width || view.height < least_top_height)
    return {fit(
      fmt::format("troupe top needs {} columns and {} lines", least_top_width, least_top_height),
      view.width)};
  std::vector<std::string> lines;
  const auto add = [&](const std::string& text, const char* color = nullptr) {
    auto line = fit(text, view.width);
    lines.push_back(color != nullptr ? painted(line, color, view.color) : std::move(line));
  };
  add(title_line(state, view), view.note.empty() ? bold : red);
  if (state.samples == 0)
    add(state.about.run.empty() ? "No workload has begun yet: there is nothing to measure."
                                : "The first sample has not been taken yet.");
  else
    for (const auto& line : total_lines(state, view.utf8))
      add(line);
  const std::string rule(view.width, '-');
  add(rule);
  constexpr std::size_t below = 3; // a rule, an event, the keys
  const auto room = view.height > lines.size() + below ? view.height - lines.size() - below : 0;
  if (view.help) {
    for (const auto& line : help_lines())
      if (lines.size() + below < view.height)
        add(line);
  } else if (view.table == top_table::events) {
    const auto all = event_lines(state, view.filter);
    for (std::size_t i = 0; i < std::min(all.size(), room); ++i)
      add(all[i]);
  } else {
    const auto table = top_rows(state, view.table, view.sort, view.filter);
    if (table.rows.empty())
      add(table.why_empty);
    else if (room > 1) {
      add(table.header, bold);
      const auto fits = table.rows.size() <= room - 1;
      const auto shown = fits ? table.rows.size() : room - 2;
      for (std::size_t i = 0; i < shown; ++i)
        add(table.rows[i], color_of(table.rows[i]));
      if (!fits)
        add(fmt::format(" ... {} more", table.rows.size() - shown));
    }
  }
  add(rule);
  add(state.events.empty() ? "No events so far." : event_line(state.events.back()));
  add(view.typing
        ? "/" + view.filter + "_"
        : "[s]chedulers [o]wners [n]odes [e]vents / filter <> sort p pause ? help q quit" +
            (view.filter.empty() ? "" : "  with: " + view.filter));
  return lines;
}

std::string top_block(const live_state& state) {
  auto text = title_line(state, {}) + '\n';
  if (state.samples == 0)
    return text + "no sample yet\n";
  for (const auto& line : total_lines(state, false))
    text += line + '\n';
  if (!state.events.empty())
    text += "Event    " + event_line(state.events.back()) + '\n';
  return text;
}

} // namespace troupe
