#include "report/export/export_jobs.hpp"

#include "report/json/parse_json.hpp"
#include "report/records/record_reader.hpp"
#include "report/results/results_directory.hpp"
#include "report/results/results_format.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_map>

namespace troupe {

namespace {

/// What the tasks of a job tell.
struct told_by_tasks {
  double started_s = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> machines;
};

std::unordered_map<std::string, told_by_tasks> read_tasks(const std::filesystem::path& file) {
  std::unordered_map<std::string, told_by_tasks> all;
  record_reader in{file};
  const auto job = in.column("job");
  const auto started = in.column("started_s");
  const auto machine = in.column("machine");
  while (in.next()) {
    auto& told = all[std::string{in.text(job)}];
    told.started_s = std::fmin(told.started_s, in.number(started));
    if (const auto number = in.number(machine); std::isfinite(number))
      told.machines.push_back(static_cast<std::uint32_t>(number));
  }
  return all;
}

void add_tasks(exported_job& job, told_by_tasks& told) {
  if (std::isfinite(told.started_s))
    job.started_s = told.started_s;
  std::ranges::sort(told.machines);
  const auto repeated = std::ranges::unique(told.machines);
  told.machines.erase(repeated.begin(), repeated.end());
  job.machines = std::move(told.machines);
}

} // namespace

exported_jobs read_exported_jobs(const std::filesystem::path& directory) {
  const auto file = directory / results_directory::jobs_name;
  if (!std::filesystem::exists(file))
    throw std::runtime_error("there are no records of jobs in " + directory.string() +
                             "; expected results of a run with --records jobs or tasks");
  check_results_format(directory);
  exported_jobs all;
  if (const auto summary = read_json(directory / results_directory::summary_name);
      summary.is_object())
    all.name = summary.value("name", std::string{});
  const auto tasks_file = directory / results_directory::tasks_name;
  all.tasks_recorded = std::filesystem::exists(tasks_file);
  auto told =
    all.tasks_recorded ? read_tasks(tasks_file) : std::unordered_map<std::string, told_by_tasks>{};
  record_reader in{file};
  const auto number = in.column("job");
  const auto group = in.column("group");
  const auto tenant = in.column("tenant");
  const auto state = in.column("state");
  const auto tasks = in.column("tasks");
  const auto submitted = in.column("submitted_s");
  const auto placed = in.column("first_placed_s");
  const auto ended = in.column("ended_s");
  const auto ideal = in.column("ideal_s");
  const auto cpu = in.column("cpu_cores");
  const auto memory = in.column("memory_gib");
  while (in.next()) {
    const auto is = choice_named<record_state>(in.text(state)).value_or(record_state::failed);
    if (is == record_state::queued || is == record_state::running) {
      ++all.open;
      continue;
    }
    exported_job job{std::string{in.text(number)},
                     std::string{in.text(group)},
                     std::string{in.text(tenant)},
                     is,
                     static_cast<std::uint64_t>(in.number(tasks)),
                     in.number(submitted),
                     in.number(placed),
                     in.number(ended),
                     in.number(ideal),
                     in.number(cpu),
                     in.number(memory),
                     {}};
    if (const auto at = told.find(job.number); at != told.end())
      add_tasks(job, at->second);
    all.jobs.push_back(std::move(job));
  }
  std::ranges::stable_sort(all.jobs, {}, &exported_job::submitted_s);
  return all;
}

std::string interval_set(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    auto end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
      ++end;
    text += (text.empty() ? "" : " ") + std::to_string(numbers[i]);
    if (end - i > 1)
      text += '-' + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

} // namespace troupe
