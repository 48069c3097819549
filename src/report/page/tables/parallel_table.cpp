#include "report/page/tables/parallel_table.hpp"

#include "report/page/html.hpp"
#include "report/text/text.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;
using text_function = std::string (*)(double);

std::string value_text(const json& of, const char* path, text_function text) {
  const json::json_pointer at{path};
  return of.contains(at) && of[at].is_number() ? text(of[at].get<double>()) : "-";
}

std::string jobs_text(double n) {
  return count_text(static_cast<std::uint64_t>(n));
}

/// Adds a row for each class of `of` that has jobs.
void add_rows(html_table& to, const std::string& run, const json& of, const char* what,
              const char* classes) {
  constexpr std::pair<const char*, text_function> cells[] = {
    {"/jobs", jobs_text},
    {"/wait_s/mean", seconds_text},
    {"/wait_s/p50", seconds_text},
    {"/wait_s/p99", seconds_text},
    {"/response_s/mean", seconds_text},
    {"/bounded_slowdown/mean", number_text},
    {"/bounded_slowdown/p50", number_text},
    {"/bounded_slowdown/p99", number_text}};
  const auto add = [&](const std::string& name, const json& figures) {
    std::vector<std::string> row{run.empty() ? name : run + ": " + name};
    for (const auto& [path, text] : cells)
      row.push_back(value_text(figures, path, text));
    to.rows.push_back(std::move(row));
  };
  if (classes == nullptr)
    return add(what, of);
  if (of.contains(classes))
    for (const auto& [name, figures] : of[classes].items())
      if (figures.is_object() && figures.value("jobs", 0) > 0)
        add(what + name, figures);
}

} // namespace

std::string parallel_tables_html(std::span<const run_folder> runs) {
  html_table jobs{"Jobs that were placed and have ended",
                  {"jobs", "number", "wait, mean", "p50", "p99", "response, mean",
                   "bounded slowdown, mean", "p50", "p99"},
                  {},
                  false};
  html_table use{"Processors, from the first submission to the last end",
                 {"run", "processors", "makespan", "used", "idle while a job waited that fitted",
                  "idle while any job waited"},
                 {},
                 false};
  for (const auto& run : runs) {
    if (!run.summary.contains("parallel_jobs"))
      continue;
    const auto& of = run.summary["parallel_jobs"];
    const auto label = runs.size() > 1 ? run.label : "";
    add_rows(jobs, label, of, "all", nullptr);
    add_rows(jobs, label, of, "tasks: ", "by_width");
    add_rows(jobs, label, of, "estimate: ", "by_estimate");
    use.rows.push_back({run.label, value_text(of, "/processors", number_text),
                        value_text(of, "/makespan_s", seconds_text),
                        value_text(of, "/processor_utilization", percent_text),
                        value_text(of, "/loss_of_capacity", percent_text),
                        value_text(of, "/idle_while_waiting", percent_text)});
  }
  return jobs.rows.empty() ? "" : to_html(jobs) + to_html(use);
}

} // namespace troupe
