#include "report/page/page.hpp"

#include "report/page/assets.hpp"
#include "report/page/delay_curve.hpp"
#include "report/page/headline.hpp"
#include "report/page/page_data.hpp"
#include "report/page/settings_rows.hpp"
#include "report/page/summary_rows.hpp"
#include "report/results_directory.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <stdexcept>
#include <system_error>

namespace troupe {

namespace {

namespace fs = std::filesystem;

using json = nlohmann::ordered_json;

constexpr std::size_t most_machine_events = 100; ///< in the table of marks

constexpr std::string_view security =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/// Returns the curves of all lines' delays.
figure delay_figure(std::span<const run_folder> runs, std::span<const run_line> lines) {
  figure f{"delays",
           "Distribution of scheduling delays",
           "delay (s, log)",
           "share of tasks placed within it (%)",
           "s",
           "%"};
  f.x_log = true;
  f.note = "Tasks that were not placed count as censored at their ages (Kaplan and Meier 1958).";
  for (const auto& line : lines) {
    auto curve = delay_curve_of(runs[line.run].delays, line.group);
    if (!curve.delay_s.empty())
      f.lines.push_back(
        {line.label, std::move(curve.delay_s), std::move(curve.share), {}, line.group});
  }
  return f;
}

/// Returns how often placements were refused by the age of the view that they were decided on.
figure age_figure(std::span<const run_folder> runs) {
  figure f{"ages",
           "Conflicts by age of the view",
           "age of the view (share of the sync gap, up to)",
           "refused per placement (%)",
           "",
           "%"};
  for (const auto& run : runs) {
    figure_line line{run.label, {}, {}};
    if (!run.summary.contains("conflicts_by_age") || run.summary.value("conflicts", 0.0) == 0)
      continue;
    f.x_names.clear();
    for (const auto& bin : run.summary["conflicts_by_age"]) {
      const auto& end = bin["up_to_gap"];
      const auto& share = bin["conflict_fraction"];
      line.x.push_back(static_cast<double>(line.x.size()));
      line.y.push_back(share.is_number() ? share.get<double>() : std::nan(""));
      f.x_names.push_back(end.is_number() ? fmt::format("{:.1f}", end.get<double>()) : "more");
    }
    f.lines.push_back(std::move(line));
  }
  return f;
}

/// Returns the tenants' shares over time.
figure tenants_figure(std::span<const run_folder> runs) {
  figure f{"tenants", "Shares of tenants", "time (s)", "dominant share of the cluster (%)", "s",
           "%"};
  for (const auto& run : runs) {
    const auto& names = run.tenants.text("tenant");
    const std::set<std::string> tenants(names.begin(), names.end());
    for (const auto& tenant : tenants) {
      figure_line line{runs.size() > 1 ? run.label + ", " + tenant : tenant, {}, {}};
      for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == tenant) {
          line.x.push_back(run.tenants.number("to_s")[i]);
          line.y.push_back(run.tenants.number("share_mean")[i]);
        }
      f.lines.push_back(std::move(line));
    }
  }
  return f;
}

std::string marks_table(const html_table& table, std::string_view title, std::string_view note) {
  if (table.rows.empty())
    return "";
  return folded(title, fmt::format("<p class=\"note\">{}</p>\n{}", note, to_html(table)));
}

/// Lists the marks with their numbers and, apart from these, the failures of machines.
std::string marks_html(std::span<const run_folder> runs,
                       std::span<const std::vector<run_mark>> marks) {
  html_table numbered{"", {"mark", "time", "what"}, {}, true};
  html_table of_machines{"", {"time", "what"}, {}, true};
  std::size_t machine_events = 0;
  for (std::size_t r = 0; r < marks.size(); ++r) {
    std::size_t number = 0;
    for (const auto& m : marks[r]) {
      const auto time = fmt::format("{:.6g} s", m.at_s);
      auto* table = m.of_machine ? &of_machines : &numbered;
      if (m.of_machine && ++machine_events > most_machine_events)
        continue;
      table->rows.push_back({time, m.text});
      if (!m.of_machine)
        table->rows.back().insert(table->rows.back().begin(), std::to_string(++number));
      if (runs.size() > 1)
        table->rows.back().push_back(runs[r].label);
    }
  }
  if (runs.size() > 1)
    for (auto* table : {&numbered, &of_machines})
      table->header.push_back("run");
  return marks_table(numbered, fmt::format("Marks in the plots: {}", numbered.rows.size()),
                     "Grey lines are phases, dashed red ones failures, dotted green ones their "
                     "ends, blue ones takeovers, dashed purple ones changes of policies.") +
         marks_table(
           of_machines, fmt::format("Failures of machines and their ends: {}", machine_events),
           fmt::format("Short marks at the bottom of the plots.{}",
                       machine_events > most_machine_events
                         ? fmt::format(" The first {}; all are in events.csv.", most_machine_events)
                         : ""));
}

std::string section(std::string_view title, const std::string& html) {
  return html.empty() ? ""
                      : fmt::format("<section><h2>{}</h2>\n{}</section>\n", escaped(title), html);
}

json bands_json(std::span<const page_band> bands) {
  auto out = json::array();
  for (const auto& b : bands)
    out.push_back({{"column", b.column},
                   {"run", b.run},
                   {"group", b.group},
                   {"from", b.from_s},
                   {"to", b.to_s},
                   {"min", b.min ? json(*b.min) : json(nullptr)},
                   {"max", b.max ? json(*b.max) : json(nullptr)},
                   {"text", b.text}});
  return out;
}

/// Everything that is about runs, above the page's data.
struct run_parts {
  std::string plots;
  std::string tables;
  json data = json::object();
};

run_parts parts_of(const page_contents& c, std::vector<figure>& figures) {
  const auto lines = lines_of(c.runs);
  const auto shown = shown_plots(lines);
  std::vector<std::vector<run_mark>> marks;
  for (const auto& run : c.runs)
    marks.push_back(marks_of(run));
  run_parts parts;
  parts.data = page_data(lines, shown, marks);
  for (const auto& run : c.runs) {
    parts.data["runs"].push_back(run.label);
    parts.data["bounds"].push_back(staleness_bound_of(run));
  }
  parts.data["bands"] = bands_json(c.bands);
  const std::string bands_note =
    c.bands.empty() ? "" : "Shaded areas are the values that the expectations allow.";
  for (const auto& note : {c.runs_note, bands_note, thinning_note(lines, shown)})
    if (!note.empty())
      parts.plots += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
  parts.plots += marks_html(c.runs, marks) + "<div class=\"plots\">\n";
  for (const auto& plot : shown)
    parts.plots += plot_html(plot, lines);
  parts.plots += "</div>\n";
  for (auto& f : {delay_figure(c.runs, lines), age_figure(c.runs), tenants_figure(c.runs)})
    if (!f.lines.empty())
      figures.push_back(f);
  parts.tables = section("Self-checks", to_html(checks_table_of(c.runs)));
  parts.tables += "<section><h2>All figures</h2>\n" +
                  folded("summary.json as a table", to_html(summary_table_of(c.runs)));
  for (const auto& run : c.runs)
    for (const auto* name : {"phases", "groups"})
      if (run.summary[name].size() > 1)
        parts.tables +=
          folded(fmt::format("{}: {}", run.label, name), to_html(parts_table_of(run, name)));
  parts.tables += folded("Settings that differ from the defaults of the architecture",
                         to_html(settings_table_of(c.runs))) +
                  "</section>\n";
  return parts;
}

std::string sentences(const page_contents& c) {
  if (!c.sentence.empty())
    return fmt::format("<p class=\"sentence\">{}</p>\n", escaped(c.sentence));
  std::string out;
  for (const auto& run : c.runs)
    out += fmt::format("<p class=\"sentence\">{}{}</p>\n",
                       c.runs.size() > 1 ? "<b>" + escaped(run.label) + "</b>: " : "",
                       escaped(sentence_about(run)));
  return out;
}

std::string head(const page_contents& c) {
  return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<title>{}</title>\n<style>\n{}\n{}</style>\n</head>\n<body>\n",
                     security, escaped(c.title + " - troupe"), page_assets::plot_style(),
                     page_assets::style());
}

} // namespace

std::string page_html(const page_contents& c) {
  std::vector<figure> figures = c.figures;
  const auto runs = c.runs.empty() ? run_parts{} : parts_of(c, figures);
  auto data = runs.data;
  data["figures"] = json::array();
  std::string drawn;
  for (const auto& f : figures) {
    data["figures"].push_back(figure_json(f));
    drawn += figure_html(f);
  }
  for (const auto& map : c.heat_maps)
    drawn += heat_map_html(map);
  std::string tables;
  for (const auto& table : c.tables)
    tables += to_html(table);
  for (const auto& note : c.notes)
    tables += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
  auto out = head(c);
  out += fmt::format("<header><h1>{}</h1><div id=\"controls\"></div></header>\n<main>\n{}",
                     escaped(c.title), sentences(c));
  if (!c.runs.empty())
    out += headline_html(c.runs);
  out += section("Results", tables);
  if (!c.runs.empty() || !figures.empty())
    out += "<noscript><p class=\"note\">The plots need JavaScript. The tables below have their "
           "data.</p></noscript>\n";
  const auto figures_html = drawn.empty() ? "" : "<div class=\"plots\">\n" + drawn + "</div>\n";
  if (c.runs.empty())
    out += section("Figures", figures_html);
  else
    out += section("Over time", runs.plots) + section("Distributions and figures", figures_html);
  out += runs.tables;
  if (!c.command.empty())
    out += section("To make this again", "<pre>" + escaped(c.command) + "</pre>\n");
  if (!c.runs.empty() || !c.host.rows.empty())
    out += host_html(c.runs, c.host);
  out += "</main>\n";
  out += "<footer><p>Made by troupe. The plots are drawn by uPlot:</p><pre>" +
         escaped(page_assets::plot_licence()) + "</pre></footer>\n";
  out += "<script type=\"application/json\" id=\"data\">" + script_json(data) + "</script>\n";
  out += "<script>\n" + page_assets::plot_library() + "\n</script>\n<script>\n" +
         "\"use strict\";\n(function () {\n" + page_assets::script() +
         "})();\n</script>\n</body>\n</html>\n";
  return out;
}

void write_page(const fs::path& file, const page_contents& contents) {
  const auto fresh = file.parent_path() / ("." + file.filename().string() + ".tmp");
  std::error_code failure;
  if (file.has_parent_path())
    fs::create_directories(file.parent_path(), failure);
  std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
  out << page_html(contents);
  out.close();
  if (out)
    fs::rename(fresh, file, failure);
  if (!out || failure) {
    fs::remove(fresh, failure);
    throw std::runtime_error("cannot write " + file.string());
  }
}

page_contents contents_for(const std::vector<fs::path>& directories) {
  page_contents c;
  for (const auto& directory : directories) {
    auto run = read_run_folder(directory);
    const auto taken = [&] {
      return std::ranges::any_of(c.runs, [&](const auto& r) { return r.label == run.label; });
    };
    if (taken())
      run.label = directory.lexically_normal().string();
    c.title += (c.title.empty() ? "" : ", ") + run.label;
    c.runs.push_back(std::move(run));
  }
  c.command = "troupe run config.toml";
  return c;
}

} // namespace troupe
