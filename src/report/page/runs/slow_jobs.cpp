#include "report/page/runs/slow_jobs.hpp"

#include "report/records/record_reader.hpp"
#include "report/text/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace troupe {

namespace {

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
  record_reader in{jobs_file};
  const auto job_column = in.column("job");
  const auto group = in.column("group");
  const auto tasks = in.column("tasks");
  const auto state = in.column("state");
  const auto attempts = in.column("attempts");
  const auto conflicts = in.column("conflicts");
  const auto submitted = in.column("submitted_s");
  const auto wait = in.column("wait_s");
  const auto delay = in.column("scheduling_delay_max_s");
  const auto response = in.column("response_s");
  while (in.next()) {
    slow_job job;
    job.delay_s = in.number(delay);
    if (!std::isfinite(job.delay_s) ||
        (slowest.size() == most_slow_jobs && !is_slower(job, slowest.front())))
      continue;
    job.job = in.text(job_column);
    job.group = in.text(group);
    job.tasks = in.text(tasks);
    job.state = in.text(state);
    job.attempts = in.text(attempts);
    job.conflicts = in.text(conflicts);
    job.submitted_s = in.number(submitted);
    job.wait_s = in.number(wait);
    job.response_s = in.number(response);
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

namespace {

/// A count of the records, for readers.
std::string grouped(const std::string& count) {
  std::uint64_t n = 0;
  const auto [end, failure] = std::from_chars(count.data(), count.data() + count.size(), n);
  return failure == std::errc{} && end == count.data() + count.size() ? count_text(n) : count;
}

} // namespace

std::string slow_jobs_html(const std::vector<slow_job>& jobs, const std::string& run) {
  if (jobs.empty())
    return "";
  html_table table{run.empty() ? "" : run,
                   {"job", "group", "state", "tasks", "submitted at", "wait", "longest delay",
                    "response", "attempts", "conflicts", "what happened"},
                   {},
                   true};
  for (const auto& j : jobs)
    table.rows.push_back({j.job, j.group, j.state, grouped(j.tasks), time_text(j.submitted_s),
                          time_text(j.wait_s), time_text(j.delay_s), time_text(j.response_s),
                          grouped(j.attempts), grouped(j.conflicts),
                          "troupe explain " + j.job + " --in DIR"});
  return to_html(table) +
         "<p class=\"note\">Of the records of jobs. \"wait\" lasts until the first "
         "decision on the job, \"longest delay\" is that of one of its tasks. DIR "
         "is the directory of the run.</p>\n";
}

} // namespace troupe
