#include "report/export/export_jobs.hpp"

#include "report/json/parse_json.hpp"
#include "report/records/record_reader.hpp"
#include "report/results/results_directory.hpp"
#include "report/results/results_format.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
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

/// Returns the position of a column that the records of older programs lack.
std::optional<std::size_t> column_if_any(const record_reader& in, std::string_view name) {
  const auto& names = in.header();
  const auto at = std::ranges::find(names, name);
  return at == names.end() ? std::nullopt : std::optional{std::size_t(at - names.begin())};
}

/// The run time for which a job asks: its estimate if it runs as one piece, or else, since
/// estimates are those of single tasks, the longest chain of its tasks.
class requested_time {
public:
  explicit requested_time(const record_reader& in)
    : gang_(column_if_any(in, "gang")),
      estimate_(column_if_any(in, "estimate_s")),
      ideal_(in.column("ideal_s")) {}

  double of(const record_reader& row, std::uint64_t tasks) const {
    const bool one_piece = tasks == 1 || (gang_ && row.text(*gang_) == "true");
    return row.number(one_piece && estimate_ ? *estimate_ : ideal_);
  }

private:
  std::optional<std::size_t> gang_;
  std::optional<std::size_t> estimate_;
  std::size_t ideal_;
};

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
  const requested_time requested{in};
  const auto cpu = in.column("cpu_cores");
  const auto memory = in.column("memory_gib");
  while (in.next()) {
    const auto is = choice_named<record_state>(in.text(state)).value_or(record_state::failed);
    if (is == record_state::queued || is == record_state::running) {
      ++all.open;
      continue;
    }
    const auto count = static_cast<std::uint64_t>(in.number(tasks));
    exported_job job{std::string{in.text(number)},
                     std::string{in.text(group)},
                     std::string{in.text(tenant)},
                     is,
                     count,
                     in.number(submitted),
                     in.number(placed),
                     in.number(ended),
                     requested.of(in, count),
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
