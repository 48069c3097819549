#include "report/results/results_directory.hpp"

#include "report/csv/delays_csv.hpp"
#include "report/csv/events_csv.hpp"
#include "report/csv/partitions_csv.hpp"
#include "report/csv/schedulers_csv.hpp"
#include "report/csv/shares.hpp"
#include "report/csv/timeseries_csv.hpp"
#include "report/json/parse_json.hpp"
#include "report/records/record_writer.hpp"
#include "report/summary/summary_json.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace troupe {

namespace {

namespace fs = std::filesystem;

constexpr std::array file_names{
  results_directory::summary_name,    results_directory::timeseries_name,
  results_directory::config_name,     results_directory::tenants_name,
  results_directory::delays_name,     results_directory::events_name,
  results_directory::report_name,     results_directory::jobs_name,
  results_directory::tasks_name,      results_directory::attempts_name,
  results_directory::schedulers_name, results_directory::partitions_name};

constexpr std::array record_files{results_directory::jobs_name, results_directory::tasks_name,
                                  results_directory::attempts_name};

/// What a run that was killed leaves may stand alone.
constexpr std::array partial_names{results_directory::partial_timeseries_name,
                                   results_directory::partial_tenants_name};

bool is_partial(std::string_view name) {
  return std::ranges::find(partial_names, name) != partial_names.end() ||
         std::ranges::any_of(record_files,
                             [&](auto file) { return name == record_writer::partial_name(file); });
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw std::runtime_error("cannot write results to " + path.string() + ": " + why);
}

[[noreturn]] void refuse(const fs::path& path, std::error_code why) {
  if (why == std::errc::no_space_on_device || why.value() == EDQUOT)
    throw disk_full("cannot write results to " + path.string() + ": " + why.message());
  refuse(path, why.message());
}

/// Returns the name under which a file is written before it gets its own.
std::string temporary(std::string_view name) {
  return fmt::format(".{}.tmp", name);
}

void write_temporary(const fs::path& directory, std::string_view name, std::string_view text) {
  errno = 0;
  std::ofstream out(directory / temporary(name), std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out)
    refuse(directory / name, errno != 0 ? std::strerror(errno) : "the file cannot be written");
}

void put_in_place(const fs::path& directory, std::string_view name) {
  std::error_code failure;
  fs::rename(directory / temporary(name), directory / name, failure);
  if (failure)
    refuse(directory / name, failure.message());
}

/// Puts rows that were written as they came in their place.
void put_rows_in_place(const fs::path& directory, std::string_view name, const fs::path& rows) {
  std::error_code failure;
  fs::rename(rows, directory / name, failure);
  if (!failure)
    return;
  failure.clear(); // they may be on another disk
  fs::copy_file(rows, directory / temporary(name), fs::copy_options::overwrite_existing, failure);
  if (failure)
    refuse(directory / name, failure.message());
  put_in_place(directory, name);
  fs::remove(rows, failure);
}

/// Returns whether a file looks like the summary of a run.
bool is_summary(const fs::path& path) {
  const auto summary = read_json(path);
  return summary.is_object() && summary.contains("architecture") && summary.contains("host");
}

std::set<std::string> names_in(const fs::path& directory) {
  std::set<std::string> names;
  std::error_code failure;
  fs::directory_iterator it(directory, failure);
  for (; !failure && it != fs::directory_iterator(); it.increment(failure))
    names.insert(it->path().filename().string());
  if (failure)
    refuse(directory, failure.message());
  return names;
}

void remove_temporaries(const fs::path& directory) {
  std::error_code ignored;
  for (auto name : file_names)
    fs::remove(directory / temporary(name), ignored);
}

/// Refuses a directory that holds what no run has written.
void check_contents(const fs::path& directory) {
  const auto names = names_in(directory);
  for (const auto& name : names) {
    const auto ours =
      results_directory::is_own(name) ||
      std::ranges::any_of(file_names, [&name](auto file) { return name == temporary(file); });
    if (!ours)
      refuse(directory, "it holds \"" + name +
                          "\", which is not a run's results; choose an empty or a new directory");
  }
  // A settings file alone may be the user's own work; results always come with a summary.
  const std::string summary(results_directory::summary_name);
  if (names.contains(summary) && !is_summary(directory / summary))
    refuse(directory, "its summary.json is not a run's; choose an empty or a new directory");
  if (!names.contains(summary))
    for (auto file : file_names)
      if (names.contains(std::string(file)))
        refuse(directory, "it holds \"" + std::string(file) +
                            "\" but no summary.json of a run; choose an empty or a new directory");
}

} // namespace

bool results_directory::is_own(std::string_view name) {
  return std::ranges::find(file_names, name) != file_names.end() || is_partial(name);
}

void results_directory::clear(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path / summary_name, ignored))
    return;
  for (const auto& name : names_in(path))
    if (is_own(name) && name != summary_name)
      fs::remove(path / name, ignored);
  // Last: without it, the other files count as somebody else's.
  fs::remove(path / summary_name, ignored);
}

results_directory::results_directory(fs::path path)
  : results_directory(std::move(path), directory_lock{}) {}

results_directory::results_directory(fs::path path, directory_lock held)
  : path_(std::move(path)), held_(std::move(held)) {
  if (path_.empty())
    refuse(path_, "the directory has no name");
  std::error_code failure;
  fs::create_directories(path_, failure);
  if (failure)
    refuse(path_, failure);
  if (!fs::is_directory(path_))
    refuse(path_, "it is not a directory");
  check_contents(path_);
  const auto probe = path_ / temporary(summary_name);
  errno = 0;
  std::ofstream out(probe);
  if (!out && errno != 0)
    refuse(path_, std::error_code{errno, std::generic_category()});
  if (!out)
    refuse(path_, "it cannot be written to");
  out.close();
  remove_temporaries(path_);
}

void results_directory::write(const run_results& results, std::string_view config) const try {
  const bool has_tenants = !results.tenants.empty();
  std::vector<std::string_view> names{summary_name, config_name, delays_name};
  write_temporary(path_, summary_name, summary_text(results));
  write_temporary(path_, config_name, config);
  std::ostringstream delays;
  write_delays(delays, results);
  write_temporary(path_, delays_name, delays.str());
  if (results.series_file.empty()) {
    std::ostringstream series;
    write_timeseries(series, results);
    write_temporary(path_, timeseries_name, series.str());
    names.push_back(timeseries_name);
  }
  if (has_tenants && results.shares_file.empty()) {
    std::ostringstream shares;
    write_shares(shares, results);
    write_temporary(path_, tenants_name, shares.str());
    names.push_back(tenants_name);
  }
  const bool has_events = !results.events.empty();
  if (has_events) {
    std::ostringstream events;
    write_events(events, results);
    write_temporary(path_, events_name, events.str());
    names.push_back(events_name);
  }
  const bool has_schedulers = !results.schedulers.empty();
  if (has_schedulers) {
    std::ostringstream schedulers;
    write_schedulers(schedulers, results);
    write_temporary(path_, schedulers_name, schedulers.str());
    names.push_back(schedulers_name);
  }
  const bool has_partitions = !results.partitions.empty();
  if (has_partitions) {
    std::ostringstream partitions;
    write_partitions(partitions, results);
    write_temporary(path_, partitions_name, partitions.str());
    names.push_back(partitions_name);
  }
  std::vector<fs::path> of_earlier_run{report()};
  if (!has_schedulers)
    of_earlier_run.push_back(path_ / schedulers_name);
  if (!has_partitions)
    of_earlier_run.push_back(path_ / partitions_name);
  if (!has_tenants)
    of_earlier_run.push_back(tenants());
  if (!has_events)
    of_earlier_run.push_back(events());
  for (const auto name : record_files)
    of_earlier_run.push_back(path_ / name);
  std::error_code failure;
  for (const auto& gone : of_earlier_run) {
    fs::remove(gone, failure);
    if (failure)
      refuse(gone, failure.message());
  }
  for (auto name : names)
    put_in_place(path_, name);
  // Last, as they cannot be written again if anything else fails.
  if (!results.series_file.empty())
    put_rows_in_place(path_, timeseries_name, results.series_file);
  if (!results.shares_file.empty())
    put_rows_in_place(path_, tenants_name, results.shares_file);
  for (const auto& [name, file] : results.record_files)
    put_rows_in_place(path_, name, file);
  for (const auto name : record_files) // of an earlier run that was killed
    fs::remove(path_ / record_writer::partial_name(name), failure);
} catch (...) {
  remove_temporaries(path_); // a full disk has better use for their room
  throw;
}

} // namespace troupe
