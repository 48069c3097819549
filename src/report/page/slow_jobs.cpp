#include "report/page/slow_jobs.hpp"

#include "report/text/text.hpp"
#include "workload/traces/text_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace troupe {

namespace {

/// Splits a row of CSV. Quotes (RFC 4180) are removed; rows of records have no line ends in cells.
void split_row(std::string_view row, std::vector<std::string>& cells) {
  cells.clear();
  cells.emplace_back();
  bool within = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '"' && within && i + 1 < row.size() && row[i + 1] == '"')
      cells.back() += row[++i];
    else if (row[i] == '"')
      within = !within;
    else if (row[i] == ',' && !within)
      cells.emplace_back();
    else
      cells.back() += row[i];
  }
}

double cell_number(const std::string& cell) {
  double x = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(cell.data(), cell.data() + cell.size(), x);
  return x;
}

bool is_slower(const slow_job& a, const slow_job& b) {
  return a.delay_s > b.delay_s;
}

std::string time_text(double seconds) {
  return std::isfinite(seconds) ? seconds_text(seconds) : "-";
}

} // namespace

std::vector<slow_job> slow_jobs_in(const std::filesystem::path& jobs_file) {
  std::vector<slow_job> slowest; // a heap with the fastest of them first
  if (!std::filesystem::exists(jobs_file))
    return slowest;
  text_reader in{jobs_file.string()};
  std::vector<std::string> header;
  std::vector<std::string> row;
  if (const auto line = in.next())
    split_row(*line, header);
  const auto column = [&](std::string_view name) {
    const auto at = std::ranges::find(header, name);
    if (at == header.end())
      throw std::runtime_error(fmt::format("{}: it has no column '{}'; expected records of jobs",
                                           jobs_file.string(), name));
    return static_cast<std::size_t>(at - header.begin());
  };
  const std::size_t columns[] = {
    column("job"),        column("group"),      column("tasks"),
    column("state"),      column("attempts"),   column("conflicts"),
    column("wait_s"),     column("response_s"), column("scheduling_delay_max_s"),
    column("submitted_s")};
  while (const auto line = in.next()) {
    split_row(*line, row);
    if (row.size() != header.size())
      throw std::runtime_error(fmt::format("{}:{}: {} cells; expected {}", jobs_file.string(),
                                           in.line(), row.size(), header.size()));
    slow_job job;
    job.delay_s = cell_number(row[columns[8]]);
    if (!std::isfinite(job.delay_s) ||
        (slowest.size() == most_slow_jobs && !is_slower(job, slowest.front())))
      continue;
    job.job = row[columns[0]];
    job.group = row[columns[1]];
    job.tasks = row[columns[2]];
    job.state = row[columns[3]];
    job.attempts = row[columns[4]];
    job.conflicts = row[columns[5]];
    job.wait_s = cell_number(row[columns[6]]);
    job.response_s = cell_number(row[columns[7]]);
    job.submitted_s = cell_number(row[columns[9]]);
    if (slowest.size() == most_slow_jobs) {
      std::ranges::pop_heap(slowest, is_slower);
      slowest.pop_back();
    }
    slowest.push_back(std::move(job));
    std::ranges::push_heap(slowest, is_slower);
  }
  std::ranges::sort_heap(slowest, is_slower);
  return slowest;
}

std::string slow_jobs_html(const std::vector<slow_job>& jobs, const std::string& run) {
  if (jobs.empty())
    return "";
  html_table table{run.empty() ? "" : run,
                   {"job", "group", "state", "tasks", "submitted at", "wait", "longest delay",
                    "response", "attempts", "conflicts", "what happened"},
                   {},
                   true};
  for (const auto& j : jobs)
    table.rows.push_back({j.job, j.group, j.state, j.tasks, time_text(j.submitted_s),
                          time_text(j.wait_s), time_text(j.delay_s), time_text(j.response_s),
                          j.attempts, j.conflicts, "troupe explain " + j.job + " --in DIR"});
  return to_html(table) +
         "<p class=\"note\">Of the records of jobs. \"wait\" lasts until the first "
         "decision on the job, \"longest delay\" is that of one of its tasks. DIR "
         "is the directory of the run.</p>\n";
}

} // namespace troupe
