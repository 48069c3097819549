#include "experiments/expectations/results_document.hpp"

#include "experiments/expectations/experiment_text.hpp"
#include "report/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t results_width = 100;

std::string text_of(const json& value) {
  return value.get<std::string>();
}

std::string paragraph(std::string_view text) {
  std::string out;
  for (const auto& line : wrap(fit(text, text.size()), results_width))
    out += line + '\n';
  return out + '\n';
}

std::string code_list(const json& texts) {
  std::string out;
  for (const auto& text : texts)
    out += (out.empty() ? "`" : ", `") + text_of(text) + "`";
  return out;
}

/// Says which settings the runs had: each file with the runs that used it, then what they set.
std::string what_was_run(const json& result) {
  std::string out = "Run by `troupe experiment " + text_of(result["file"]) + "`";
  if (!result["set"].empty())
    out += ", with " + code_list(result["set"]) + " throughout";
  out += ".\n\n";
  value_table table{{"run", "settings", "seeds"}, {}};
  for (const auto& run : result["runs"]) {
    auto settings = "`" + text_of(run["config"]) + "`";
    if (!run["set"].empty())
      settings += " with " + code_list(run["set"]);
    if (run.contains("search")) {
      const auto& s = run["search"];
      settings += fmt::format("; the least `{}` from {} to {} with `{}`", text_of(s["set"]),
                              s["from"].dump(), s["to"].dump(), text_of(s["goal"]));
    }
    const auto seeds = run["seeds"].get<std::uint64_t>();
    table.rows.push_back(
      {text_of(run["name"]), settings, seeds == 1 ? "1" : fmt::format("1 to {}", seeds)});
  }
  return out + "<details><summary>Settings of each run</summary>\n\n" + table.to_markdown() +
         "\n</details>\n\n";
}

std::string verdicts(const json& result) {
  value_table table{{"expectation", "the paper reports", "expected", "measured", "verdict"}, {}};
  for (const auto& e : result["expectations"]) {
    auto verdict = text_of(e["verdict"]);
    if (const auto why = text_of(e["why"]); !why.empty())
      verdict += ": " + why;
    const auto paper = text_of(e["paper"]);
    table.rows.push_back({text_of(e["says"]), paper.empty() ? "-" : paper, text_of(e["expected"]),
                          measured_text(e), verdict});
  }
  return table.to_markdown() + "\n";
}

std::string picture_element(const std::string& name, std::string_view shows) {
  return fmt::format(
    "<picture>\n"
    "  <source media=\"(prefers-color-scheme: dark)\" srcset=\"pictures/{0}-dark.svg\">\n"
    "  <img alt=\"{1}\" src=\"pictures/{0}-light.svg\">\n"
    "</picture>\n\n",
    name, shows);
}

std::size_t count_of(const json& result, std::string_view verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
    result["expectations"], [&](const json& e) { return text_of(e["verdict"]) == verdict; }));
}

} // namespace

std::string experiment_markdown(const json& result, std::string_view notes,
                                std::string_view picture) {
  auto out = "## " + text_of(result["title"]) + "\n\n";
  if (const auto source = text_of(result["source"]); !source.empty())
    out += paragraph("Source: " + source);
  if (const auto about = text_of(result["about"]); !about.empty())
    out += paragraph(about);
  if (!picture.empty())
    out += picture_element(text_of(result["name"]), picture);
  out += what_was_run(result);
  out += runs_table(result).to_markdown() + "\n";
  out += verdicts(result);
  if (!notes.empty()) {
    out += "### Notes\n\n";
    out += notes;
    out += notes.ends_with('\n') ? "\n" : "\n\n";
  }
  return out;
}

std::string results_introduction(const std::vector<json>& results) {
  std::string version;
  for (const auto& result : results)
    version = text_of(result["version"]);
  auto out =
    std::string("# Results\n\n") +
    paragraph("What the papers report and what Troupe measures, experiment by experiment. "
              "`./dev results` makes this page from the runs' own files; the notes are "
              "written by hand, in `notes.md` beside each experiment. Values are means "
              "over the seeds, with half the width of their 95 % confidence interval "
              "(Student's t). Delays are of all tasks, including those that still wait at the end "
              "of a run or phase (the Kaplan-Meier estimate). This is of " +
              version + ".");
  value_table table{{"experiment", "expectations that hold", "that do not"}, {}};
  for (const auto& result : results)
    table.rows.push_back({text_of(result["title"]), std::to_string(count_of(result, "PASS")),
                          std::to_string(count_of(result, "FAIL"))});
  return out + table.to_markdown() + "\n";
}

} // namespace troupe
