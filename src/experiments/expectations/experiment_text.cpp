#include "experiments/expectations/experiment_text.hpp"

#include "experiments/expectations/experiment_json.hpp"
#include "report/text/text.hpp"

#include <algorithm>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t widest = 100; ///< lines of text
constexpr std::size_t indent = 6;

bool searches(const json& result) {
  for (const auto& run : result["runs"])
    if (run.contains("search"))
      return true;
  return false;
}

void write_indented(std::ostream& out, const std::string& text, std::size_t page) {
  for (const auto& line : wrap(text, page - indent))
    out << std::string(indent, ' ') << line << '\n';
}

void write_verdict(std::ostream& out, const json& e, std::size_t page) {
  const auto first = wrap(e["says"].get<std::string>(), page - indent);
  out << e["verdict"].get<std::string>() << "  " << first.front() << '\n';
  for (std::size_t i = 1; i < first.size(); ++i)
    out << std::string(indent, ' ') << first[i] << '\n';
  if (e["verdict"] == "SKIP")
    return;
  auto text = "expected " + e["expected"].get<std::string>();
  if (!e["values"].empty())
    text = "measured " + measured_text(e) + "; " + text;
  write_indented(out, text, page);
  if (const auto& paper = e["paper"].get_ref<const std::string&>(); !paper.empty())
    write_indented(out, "paper: " + paper, page);
  if (const auto& why = e["why"].get_ref<const std::string&>(); !why.empty())
    write_indented(out, "because: " + why, page);
}

} // namespace

value_table runs_table(const json& result) {
  value_table table{{"run"}, {}};
  const bool with_found = searches(result);
  if (with_found)
    table.header.push_back("found");
  for (const auto& run : result["runs"]) {
    std::vector<std::string> row{run["name"].get<std::string>()};
    if (with_found)
      row.push_back(!run.contains("search")  ? "-"
                    : run["found"].is_null() ? "none"
                                             : value_text(run["found"].get<double>()));
    for (const auto& value : run["values"]) {
      if (table.rows.empty())
        table.header.push_back(value["label"].get<std::string>());
      row.push_back(value.contains("missing") ? "-" : to_text(estimate_in(value)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string measured_text(const json& expectation) {
  std::string out;
  for (const auto& value : expectation["values"])
    out += (out.empty() ? "" : ", ") + to_text(estimate_in(value));
  return out.empty() ? "-" : out;
}

void write_experiment(std::ostream& out, const json& result, std::size_t width) {
  const auto page = std::min(width, widest);
  for (const auto& line : wrap(result["title"].get<std::string>(), page))
    out << line << '\n';
  if (const auto& source = result["source"].get_ref<const std::string&>(); !source.empty())
    for (const auto& line : wrap(source, page))
      out << line << '\n';
  out << '\n' << runs_table(result).to_plain(width) << '\n';
  for (const auto& e : result["expectations"])
    write_verdict(out, e, page);
}

} // namespace troupe
