#include "report/csv/row_writer.hpp"

#include "model/base/log.hpp"
#include "report/csv/shares.hpp"
#include "report/csv/timeseries_csv.hpp"

#include <sstream>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace troupe {

namespace fs = std::filesystem;

namespace {

/// Rows are written when there are so many bytes of them, or at a flush.
constexpr std::size_t enough = 1 << 16;

/// Copies a file of rows without its last column, which needs no quotes.
void drop_last_column(const fs::path& of) {
  const auto fresh = fs::path{of.string() + ".new"};
  {
    std::ifstream in{of, std::ios::binary};
    std::ofstream out{fresh, std::ios::binary | std::ios::trunc};
    for (std::string line; std::getline(in, line);)
      out << line.substr(0, line.rfind(',')) << "\r\n";
    out.close();
    if (!out)
      throw std::runtime_error("cannot write " + fresh.string());
  }
  fs::rename(fresh, of);
}

} // namespace

void row_writer::add(const interval_record& row, const run_results& so_far) {
  std::ostringstream text;
  if (!series_.opened()) {
    // In real time a policy may be changed at any time.
    tells_policies_ = so_far.clock == clock_kind::real_time || !so_far.policy_changes.empty();
    write_timeseries_header(text, tells_policies_);
  }
  write_timeseries_row(text, row, so_far, tells_policies_);
  put(series_, text.str());
}

void row_writer::add(const tenant_record& row, const run_results& so_far) {
  std::ostringstream text;
  if (!tenants_.opened())
    write_shares_header(text);
  write_shares_row(text, row, so_far);
  put(tenants_, text.str());
}

void row_writer::put(file& to, const std::string& rows) {
  if (!to.opened()) {
    to.path = directory_ / to.name;
    to.out.open(to.path, std::ios::binary | std::ios::trunc);
  }
  if (to.given_up)
    return;
  to.pending += rows;
  if (to.pending.size() >= enough)
    save(to);
}

bool row_writer::write_pending(file& what) {
  what.out << what.pending << std::flush;
  if (!what.out)
    return false;
  what.size += what.pending.size();
  what.pending.clear();
  return true;
}

void row_writer::save(file& what) {
  if (what.pending.empty() || what.given_up || write_pending(what))
    return;
  const auto before = what.path;
  if (go_elsewhere(what)) {
    log::warn("{} cannot be written any more; the run goes on in {}", before.string(),
              what.path.string());
    return;
  }
  what.given_up = true;
  what.pending.clear();
  log::error("{} cannot be written any more: the rows after it are left out", before.string());
}

/// Goes on with a copy of the whole rows among the host's temporary files, if it may.
bool row_writer::go_elsewhere(file& what) {
  what.out.close();
  std::error_code failure;
  fs::resize_file(what.path, what.size, failure);
  if (stays_here_)
    return false;
  const auto other = fs::temp_directory_path(failure) /
                     ("troupe-" + std::to_string(getpid()) + '-' + std::string(what.name));
  if (other == what.path)
    return false;
  if (what.size > 0 &&
      !fs::copy_file(what.path, other, fs::copy_options::overwrite_existing, failure))
    return false;
  what.out.clear();
  what.out.open(other, std::ios::binary | (what.size > 0 ? std::ios::app : std::ios::trunc));
  if (!what.out || !write_pending(what)) {
    what.out.close();
    fs::remove(other, failure);
    return false;
  }
  fs::remove(what.path, failure);
  what.path = other;
  return true;
}

void row_writer::flush() {
  save(series_);
  save(tenants_);
  flushed_ = std::chrono::steady_clock::now();
}

void row_writer::flush_now_and_then() {
  if (std::chrono::steady_clock::now() - flushed_ >= std::chrono::seconds{1})
    flush();
}

std::vector<std::string> row_writer::incomplete() const {
  auto names = records_.incomplete();
  for (const auto* f : {&series_, &tenants_})
    if (f->given_up)
      names.emplace_back(f->name);
  return names;
}

void row_writer::finish(run_results& results) {
  flush();
  for (auto* f : {&series_, &tenants_}) {
    if (!f->opened())
      continue;
    f->out.close();
    std::error_code failure;
    if (fs::exists(f->path, failure))
      continue;
    f->given_up = true;
    log::error("{} was removed, and its rows are lost", f->path.string());
    f->path.clear();
  }
  if (!series_.path.empty() && tells_policies_ && results.policy_changes.empty()) {
    try {
      drop_last_column(series_.path);
    } catch (const std::exception& e) {
      log::warn("{}; {} keeps its column of policies", e.what(), series_.path.string());
    }
  }
  records_.finish(results);
  results.series_file = series_.path;
  results.shares_file = tenants_.path;
}

} // namespace troupe
