#include "report/records/record_writer.hpp"

#include "model/base/log.hpp"
#include "report/results/results_directory.hpp"

#include <cstddef>
#include <system_error>
#include <utility>

namespace troupe {

namespace fs = std::filesystem;

namespace {

/// Rows are compressed when there are so many bytes of them.
constexpr std::size_t enough = 256 << 10;

constexpr std::size_t jobs = 0;
constexpr std::size_t tasks = 1;
constexpr std::size_t attempts = 2;

} // namespace

record_writer::record_writer(fs::path directory)
  : directory_(std::move(directory)),
    files_{file{results_directory::jobs_name}, file{results_directory::tasks_name},
           file{results_directory::attempts_name}} {}

std::string record_writer::partial_name(std::string_view name) {
  return std::string{name.substr(0, name.find('.'))} + ".partial" +
         std::string{name.substr(name.find('.'))};
}

void record_writer::open(file& what, std::string_view header) {
  what.path = directory_ / partial_name(what.name);
  what.out.emplace(what.path);
  what.rows.add_line(header);
}

void record_writer::open(const run_results& so_far) {
  names_.emplace(so_far);
  open(files_[jobs], job_header());
  if (so_far.records == record_level::tasks)
    open(files_[tasks], task_header());
  open(files_[attempts], attempt_header());
}

template <class Record>
void record_writer::add_rows(file& to, const std::vector<Record>& records) {
  if (!to.out || to.given_up)
    return;
  for (const auto& r : records) {
    add_row(to.rows, r, *names_);
    if (to.rows.size() >= enough)
      save(to);
  }
}

void record_writer::add(const record_batch& records, const run_results& so_far) {
  if (!names_)
    open(so_far);
  add_rows(files_[jobs], records.jobs);
  add_rows(files_[tasks], records.tasks);
  add_rows(files_[attempts], records.attempts);
}

std::vector<std::string> record_writer::incomplete() const {
  std::vector<std::string> names;
  for (const auto& f : files_)
    if (f.given_up)
      names.emplace_back(f.name);
  return names;
}

void record_writer::save(file& what) {
  if (!what.given_up && !what.out->add(what.rows.view())) {
    what.given_up = true;
    log::error("{} cannot be written any more: the rows after it are left out", what.path.string());
  }
  what.rows.clear();
}

void record_writer::flush() {
  for (auto& f : files_)
    if (f.out)
      save(f);
}

void record_writer::finish(run_results& results) {
  for (auto& f : files_) {
    if (!f.out)
      continue;
    save(f);
    if (!f.out->close())
      f.given_up = true;
    std::error_code failure;
    if (fs::exists(f.path, failure))
      results.record_files.emplace_back(f.name, f.path);
    else {
      f.given_up = true;
      log::error("{} was removed, and its rows are lost", f.path.string());
    }
  }
}

} // namespace troupe
