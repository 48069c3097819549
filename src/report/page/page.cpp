#include "report/page/page.hpp"

#include "report/page/assets.hpp"
#include "report/page/maps/partition_maps.hpp"
#include "report/page/plots/page_data.hpp"
#include "report/page/plots/run_figures.hpp"
#include "report/page/runs/slow_jobs.hpp"
#include "report/page/tables/headline.hpp"
#include "report/page/tables/marks_table.hpp"
#include "report/page/tables/notable.hpp"
#include "report/page/tables/parallel_table.hpp"
#include "report/page/tables/settings_rows.hpp"
#include "report/page/tables/summary_rows.hpp"
#include "report/results/results_directory.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace troupe {

namespace {

namespace fs = std::filesystem;

using json = nlohmann::ordered_json;

constexpr std::string_view security =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

std::string section(std::string_view title, const std::string& html) {
  return html.empty() ? ""
                      : fmt::format("<section><h2>{}</h2>\n{}</section>\n", escaped(title), html);
}

std::string plots_html(const std::string& figures) {
  return figures.empty() ? "" : "<div class=\"plots\">\n" + figures + "</div>\n";
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

json lines_json(std::span<const page_line> lines) {
  auto out = json::array();
  for (const auto& l : lines)
    out.push_back({{"column", l.column},
                   {"run", l.run},
                   {"group", l.group},
                   {"from", l.from_s},
                   {"to", l.to_s},
                   {"value", l.value},
                   {"text", l.text}});
  return out;
}

/// Everything that is about runs, above the page's data.
struct run_parts {
  std::string plots;
  std::string maps;
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
  parts.data["paper"] = lines_json(c.lines);
  const std::string bands_note =
    c.bands.empty() ? "" : "Shaded areas are the values that the expectations allow.";
  const std::string lines_note =
    c.lines.empty() ? "" : "Dotted lines are what the paper states; the table above says where.";
  for (const auto& note :
       {c.runs_about, c.runs_note, bands_note, lines_note, thinning_note(lines, shown)})
    if (!note.empty())
      parts.plots += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
  parts.plots += marks_html(c.runs, marks) + "<div class=\"plots\">\n";
  for (const auto& plot : shown)
    parts.plots += plot_html(plot, lines);
  parts.plots += "</div>\n";
  auto maps = partition_maps_of(c.runs, marks);
  parts.maps = std::move(maps.html);
  parts.data["maps"] = std::move(maps.data);
  for (auto& f : run_figures(c.runs, lines))
    figures.push_back(std::move(f));
  std::string slow;
  for (const auto& run : c.runs)
    slow += slow_jobs_html(run.slow_jobs, c.runs.size() > 1 ? run.label : "");
  parts.tables = section("Parallel jobs", parallel_tables_html(c.runs));
  parts.tables += section(fmt::format("Slowest {} jobs", most_slow_jobs), slow);
  parts.tables += section("Self-checks", to_html(checks_table_of(c.runs)));
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
    out += fmt::format("<p class=\"sentence\"><b>{}</b>: {}</p>\n", escaped(run.label),
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
  std::vector<figure> of_runs;
  auto runs = c.runs.empty() ? run_parts{} : parts_of(c, of_runs);
  auto data = std::move(runs.data);
  data["figures"] = json::array();
  const auto draw = [&data](std::span<const figure> figures) {
    std::string html;
    for (const auto& f : figures) {
      data["figures"].push_back(figure_json(f));
      html += figure_html(f);
    }
    return html;
  };
  auto own = draw(c.figures);
  for (const auto& map : c.heat_maps)
    own += heat_map_html(map);
  const auto distributions = draw(of_runs);
  std::string tables;
  for (const auto& table : c.tables)
    tables += to_html(table);
  for (const auto& note : c.notes)
    tables += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
  const std::string about_runs = c.runs.empty() ? "" : headline_html(c.runs) + notable_html(c.runs);
  auto out = head(c);
  out += fmt::format("<header><h1>{}</h1><div id=\"controls\"></div></header>\n<main>\n{}",
                     escaped(c.title), sentences(c));
  if (!c.runs.empty() || !c.figures.empty())
    out += "<noscript><p class=\"note\">The plots need JavaScript. The tables below have their "
           "data.</p></noscript>\n";
  const auto results = section("Results", tables);
  const auto figures = section("Figures", plots_html(own));
  out += c.results_first ? figures + results + section("Runs", about_runs)
                         : about_runs + results + figures;
  if (!c.runs.empty())
    out += section("Over time", runs.plots) + section("Partitions over time", runs.maps) +
           section("Distributions and figures", plots_html(distributions));
  out += runs.tables;
  if (!c.command.empty())
    out += section("To make this again", "<pre>" + escaped(c.command) + "</pre>\n");
  if (!c.runs.empty() || !c.host.rows.empty())
    out += host_html(c.runs, c.host);
  out += "</main>\n";
  out += "<footer><p>Made by Troupe.</p>" +
         folded("The plots are drawn by uPlot: its licence",
                "<pre>" + escaped(page_assets::plot_licence()) + "</pre>\n") +
         "</footer>\n";
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
  const auto text = page_html(contents);
  errno = 0;
  std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  auto why = std::string{errno != 0 ? std::strerror(errno) : "some of it was lost"};
  failure.clear();
  if (out) {
    fs::rename(fresh, file, failure);
    why = failure.message();
  }
  if (!out || failure) {
    fs::remove(fresh, failure);
    throw std::runtime_error("cannot write " + file.string() + ": " + why);
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
