#include "workload/traces/trace_format.hpp"

#include "workload/formats/recorded_rows.hpp"
#include "workload/formats/row_fields.hpp"
#include "workload/traces/text_reader.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <stdexcept>

namespace troupe {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t lines_looked_at = 10;

/// How files and directories that hold a table are called, in part.
constexpr std::pair<std::string_view, table> table_names[] = {
  {"task_events", table::google_task_events},
  {"job_events", table::google_job_events},
  {"task_constraints", table::google_task_constraints},
  {"machine_events", table::google_machine_events},
  {"machine_attributes", table::google_machine_attributes},
  {"batch_task", table::alibaba_batch_task},
  {"sample_task", table::alibaba_spar_tasks},
  {"server_event", table::alibaba2017_server_event},
  {"machine_meta", table::alibaba_machine_meta},
  {"openb_pod", table::openb_pods},
  {"openb_node", table::openb_nodes},
};

bool is_number(std::string_view field) {
  return to_number(field).has_value();
}

/// Returns whether `field` is a whole number in 0 .. max.
bool is_code(std::string_view field, std::int64_t max) {
  const auto x = to_integer(field);
  return x && *x >= 0 && *x <= max;
}

/// The words that the trace of 2017 has for what became of a task.
bool is_status(std::string_view field) {
  constexpr std::string_view all[] = {"Ready",      "Waiting", "Running",
                                      "Terminated", "Failed",  "Cancelled"};
  return std::ranges::find(all, field) != std::end(all);
}

table recognise_commas(std::string_view line) {
  std::array<std::string_view, 20> x;
  switch (split(line, ',', x)) {
  case 13:
    return is_number(x[0]) && is_code(x[5], 8) ? table::google_task_events : table::unknown;
  case 9:
    return is_number(x[7]) || x[7].empty() ? table::alibaba_batch_task : table::unknown;
  case 8:
    if (is_number(x[0]) && is_number(x[1]) && is_status(x[5]))
      return table::alibaba2017_batch_task;
    return is_number(x[0]) && is_code(x[3], 8) ? table::google_job_events : table::unknown;
  case 7:
    if (is_number(x[0]) && (x[2] == "add" || x[2] == "softerror" || x[2] == "harderror"))
      return table::alibaba2017_server_event;
    if (is_number(x[0]) && !x[1].empty() && !is_number(x[1]) && is_number(x[3]) &&
        (x[6].empty() || is_number(x[6])))
      return table::alibaba_spar_tasks;
    return is_number(x[1]) && is_number(x[4]) ? table::alibaba_machine_meta : table::unknown;
  case 6:
    if (is_number(x[0]) && is_code(x[2], 2) && (x[4].empty() || is_number(x[4])))
      return table::google_machine_events;
    return is_number(x[0]) && is_code(x[3], 3) ? table::google_task_constraints : table::unknown;
  case 5:
    return is_number(x[0]) && is_code(x[4], 1) ? table::google_machine_attributes : table::unknown;
  default:
    return table::unknown;
  }
}

bool is_tr_row(std::string_view line) {
  auto rest = line;
  take_field(rest);
  const auto tasks = to_integer<std::uint64_t>(take_field(rest));
  if (!tasks || take_field(rest).empty())
    return false;
  std::uint64_t durations = 0;
  while (!take_field(rest).empty())
    ++durations;
  return durations == *tasks;
}

std::size_t count_fields(std::string_view line) {
  std::size_t n = 0;
  for (auto rest = line; !take_field(rest).empty();)
    ++n;
  return n;
}

std::vector<std::string> first_lines(const std::string& path) {
  text_reader text{path};
  std::vector<std::string> lines;
  while (lines.size() < lines_looked_at)
    if (const auto line = text.next())
      lines.emplace_back(*line);
    else
      break;
  return lines;
}

[[noreturn]] void refuse_directory(const std::string& path, const std::string& why) {
  throw std::runtime_error{path + ": " + why};
}

using found_tables = std::map<table, std::vector<std::string>>;

std::vector<std::string> files_in(const fs::path& directory) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator{directory})
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.') &&
        entry.file_size() > 0)
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

table named(const fs::path& path) {
  const auto name = path.filename().string();
  if (name.find(".tr") != std::string::npos || name.find(".json") != std::string::npos ||
      name.find("schema") != std::string::npos)
    return table::unknown;
  for (const auto& [part, what] : table_names)
    if (name.find(part) != std::string::npos)
      return what;
  return table::unknown;
}

/// What a table is that is called so: those of Alibaba are called alike in several layouts.
table refined(table named, const std::vector<std::string>& files) {
  if (named != table::alibaba_batch_task || files.empty())
    return named;
  const auto what = recognise(first_lines(files.front()));
  return what == table::alibaba_spar_tasks || what == table::alibaba2017_batch_task ? what : named;
}

/// Takes the files of a directory for one table: it is called like one, or they look like one.
found_tables only_table_in(const std::string& directory) {
  auto files = files_in(directory);
  std::erase_if(files, [](const auto& file) { return file.find("schema") != std::string::npos; });
  if (files.empty())
    return {};
  const auto path = fs::weakly_canonical(directory);
  auto what = named(path);
  if (what == table::unknown && files.front().find("part-") != std::string::npos)
    what = recognise(first_lines(files.front()));
  if (what == table::unknown || what == table::tr_jobs || what == table::swf_jobs)
    return {};
  what = refined(what, files);
  return {{what, std::move(files)}};
}

found_tables tables_in(const std::string& directory) {
  found_tables found;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator{directory})
    entries.push_back(entry.path());
  std::ranges::sort(entries);
  for (const auto& path : entries) {
    const auto what = named(path);
    if (what == table::unknown)
      continue;
    auto& files = found[what];
    if (fs::is_directory(path))
      for (auto& file : files_in(path))
        files.push_back(std::move(file));
    else
      files.push_back(path.string());
  }
  std::erase_if(found, [](const auto& f) { return f.second.empty(); });
  if (found.empty())
    return only_table_in(directory);
  if (auto batch = found.extract(table::alibaba_batch_task)) {
    batch.key() = refined(table::alibaba_batch_task, batch.mapped());
    found.insert(std::move(batch));
  }
  return found;
}

/// Returns the table of jobs of a format, as which a file of that format is read unless its first
/// lines show another table.
table jobs_of(trace_format format) {
  switch (format) {
  case trace_format::swf:
    return table::swf_jobs;
  case trace_format::openb:
    return table::openb_pods;
  case trace_format::recorded:
    return table::recording;
  case trace_format::alibaba2018:
    return table::alibaba_batch_task;
  case trace_format::alibaba2017:
    return table::alibaba2017_batch_task;
  case trace_format::google2011:
    return table::google_task_events;
  case trace_format::automatic:
  case trace_format::tr:
    break;
  }
  return table::tr_jobs;
}

} // namespace

trace_format format_of(table t) {
  switch (t) {
  case table::swf_jobs:
    return trace_format::swf;
  case table::openb_pods:
  case table::openb_nodes:
    return trace_format::openb;
  case table::alibaba_batch_task:
  case table::alibaba_spar_tasks:
  case table::alibaba_machine_meta:
    return trace_format::alibaba2018;
  case table::alibaba2017_batch_task:
  case table::alibaba2017_server_event:
    return trace_format::alibaba2017;
  case table::google_task_events:
  case table::google_job_events:
  case table::google_task_constraints:
  case table::google_machine_events:
  case table::google_machine_attributes:
    return trace_format::google2011;
  case table::recording:
    return trace_format::recorded;
  case table::tr_jobs:
  case table::unknown:
    break;
  }
  return trace_format::tr;
}

table recognise(const std::vector<std::string>& lines) {
  std::vector<std::string_view> rows;
  for (const auto& line : lines) {
    if (line.starts_with(';'))
      return table::swf_jobs;
    if (line.starts_with(recording_mark))
      return table::recording;
    auto rest = std::string_view{line};
    if (const auto first = take_field(rest); !first.empty() && !first.starts_with('#'))
      rows.push_back(line);
  }
  if (rows.empty())
    return table::unknown;
  const auto head = rows.front();
  if (head.find(',') != std::string_view::npos) {
    if (head.find("cpu_milli") != std::string_view::npos)
      return head.find("num_gpu") != std::string_view::npos ? table::openb_pods
                                                            : table::openb_nodes;
    return recognise_commas(head);
  }
  if (std::ranges::any_of(rows, is_tr_row))
    return std::ranges::all_of(rows, [](auto r) { return count_fields(r) == 18; }) &&
               !std::ranges::all_of(rows, is_tr_row)
             ? table::swf_jobs
             : table::tr_jobs;
  return std::ranges::all_of(rows, [](auto r) { return count_fields(r) == 18; }) ? table::swf_jobs
                                                                                 : table::tr_jobs;
}

trace_files find_trace(const std::string& path, trace_format format) {
  const bool detects = format == trace_format::automatic;
  found_tables found;
  if (fs::is_directory(path)) {
    found = tables_in(path);
    if (found.empty())
      refuse_directory(
        path, "this directory holds no tables of a trace; expected files or directories with "
              "names like task_events, machine_events, batch_task, machine_meta, server_event or "
              "openb_pod");
  } else {
    auto what = recognise(first_lines(path));
    if (what == table::unknown && named(path) != table::unknown)
      what = named(path);
    const bool other = !detects && format_of(what) != format;
    if (other || what == table::unknown || format == trace_format::tr ||
        format == trace_format::swf || format == trace_format::recorded)
      what = jobs_of(format);
    found[what] = {path};
  }
  trace_files files;
  files.format = format_of(found.begin()->first);
  if (!detects)
    files.format = format;
  else if (std::ranges::any_of(
             found, [](const auto& f) { return format_of(f.first) == trace_format::google2011; }))
    files.format = trace_format::google2011;
  for (auto& [what, paths] : found) {
    if (format_of(what) != files.format)
      continue;
    switch (what) {
    case table::tr_jobs:
    case table::swf_jobs:
    case table::recording:
      files.jobs = paths;
      if (what != table::tr_jobs)
        files.machines = paths;
      break;
    case table::openb_pods:
    case table::alibaba_batch_task:
    case table::alibaba_spar_tasks:
    case table::alibaba2017_batch_task:
    case table::google_task_events:
      files.jobs = std::move(paths);
      break;
    case table::google_job_events:
      if (files.jobs.empty()) {
        files.jobs = std::move(paths);
        files.job_events = true;
      }
      break;
    case table::google_task_constraints:
      files.constraints = std::move(paths);
      break;
    case table::openb_nodes:
    case table::alibaba_machine_meta:
    case table::alibaba2017_server_event:
    case table::google_machine_events:
      files.machines = std::move(paths);
      break;
    case table::google_machine_attributes:
      files.attributes = std::move(paths);
      break;
    case table::unknown:
      break;
    }
  }
  if (files.jobs.empty() && files.machines.empty())
    refuse_directory(path,
                     "this directory holds no tables of the format " + to_string(files.format));
  if (files.format == trace_format::openb && files.jobs.size() > 1)
    refuse_directory(path, "this directory holds several tables of pods; name one of them, as in " +
                             files.jobs.front());
  return files;
}

void refuse_copies(const std::vector<std::string>& paths) {
  if (paths.size() < 2)
    return;
  std::map<std::vector<std::string>, std::string> known;
  for (const auto& path : paths)
    if (const auto [first, added] = known.try_emplace(first_lines(path), path); !added)
      refuse_directory(path, "this file begins with the same rows as " + first->second +
                               ": one is a copy of the other; leave one of them out");
}

} // namespace troupe
