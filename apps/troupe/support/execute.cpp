#include "support/execute.hpp"

#include "commands/commands.hpp"
#include "model/base/log.hpp"
#include "report/csv/row_writer.hpp"
#include "report/progress/progress.hpp"
#include "report/summary/summary_json.hpp"
#include "report/timeline/timeline.hpp"
#include "runtime/run/run.hpp"
#include "support/live_run.hpp"
#include "support/run_report.hpp"
#include "support/run_watchdog.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace troupe {

namespace {

/// The time for a run to stop gracefully after a signal. In real time, actors finish their present
/// work, on few cores and with many waiting messages.
constexpr std::chrono::milliseconds patience{800};
constexpr std::chrono::milliseconds real_patience{5000};

constexpr double warned_share = 0.5; ///< of the free memory

/// Returns the memory that the kernel reports as available for programs, in bytes; no limit if it
/// does not report it.
double available_memory() {
  std::ifstream info{"/proc/meminfo"};
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("MemAvailable:"))
      return std::strtod(line.c_str() + line.find(':') + 1, nullptr) * 1024;
  return std::numeric_limits<double>::infinity();
}

std::string bytes_text(double bytes) {
  return bytes >= 1e9 ? fmt::format("{:.1f} GiB", bytes / (1 << 30))
                      : fmt::format("{:.0f} MiB", bytes / (1 << 20));
}

/// Shows progress on stderr, ends the run after a signal, and writes rows as they come.
class console_monitor : public run_monitor {
public:
  console_monitor(const results_directory& to, const run_settings& settings, bool quiet,
                  settings_reload reload, timeline* drawn, live_run* live)
    : rows_{to},
      quiet_{quiet},
      records_{settings.records},
      timeline_{drawn},
      reload_{std::move(reload)},
      live_{live},
      watchdog_{settings.clock == clock_kind::virtual_time ? patience : real_patience} {}

  void progress(const run_progress& at) override {
    rows_.flush_now_and_then();
    last_ = at;
    if (live_ != nullptr) {
      live_->refresh();
      if (live_->wants_records()) {
        rows_.flush_records();
        live_->records_are_written();
      }
    }
    if (!quiet_)
      printer_.update(at);
  }

  std::shared_ptr<live_board> live() override {
    return live_ != nullptr ? live_->board() : nullptr;
  }

  void before_interval(instant from, instant to) override {
    if (live_ != nullptr)
      live_->before_interval(from, to, [this] { return stop_requested(); });
  }

  bool stop_requested() override { return caught_signal() != 0; }

  std::optional<run_settings> new_settings() override { return reload_ ? reload_() : std::nullopt; }

  void watch(std::function<std::string()> where) override { watchdog_.watch(std::move(where)); }

  void cannot_end(const std::string& where) override { run_watchdog::end(where); }

  bool take_row(const interval_record& row, const run_results& so_far) override {
    rows_.add(row, so_far);
    if (timeline_ != nullptr)
      timeline_->add(row);
    return true;
  }

  bool take_row(const tenant_record& row, const run_results& so_far) override {
    rows_.add(row, so_far);
    return true;
  }

  void take_records(const record_batch& records, const run_results& so_far) override {
    if (timeline_ == nullptr) {
      rows_.add(records, so_far);
      return;
    }
    timeline_->add(records, so_far);
    if (records_ == record_level::none)
      return;
    auto wanted = so_far;
    wanted.records = records_;
    rows_.add(records, wanted);
  }

  member_events* members() override { return timeline_; }

  /// Ends the progress line and the rows. Returns whether all rows could be written.
  bool finish(run_results& results) {
    rows_.finish(results);
    if (!quiet_)
      printer_.finish(last_);
    return tell_incomplete(rows_.incomplete());
  }

private:
  row_writer rows_;
  bool quiet_;
  record_level records_; ///< that are to be written
  timeline* timeline_;   ///< which needs them all; may be null
  settings_reload reload_;
  live_run* live_;
  run_progress last_;
  progress_printer printer_{std::cerr, progress_on_stderr()};
  run_watchdog watchdog_;
};

/// Warns if a run will hardly fit into the free memory.
void warn_of_memory(const run_settings& settings) {
  const auto needed = static_cast<double>(memory_of(settings));
  const auto available = available_memory();
  if (needed <= warned_share * available)
    return;
  std::cerr << fmt::format("troupe: this run will take about {} of memory, but {} are free: {} "
                           "machines, {} schedulers, {} partitions, {} owners",
                           bytes_text(needed), bytes_text(available), settings.cluster.machines,
                           settings.schedulers, settings.cluster.partitions,
                           settings.cluster.owners)
            << std::endl;
}

} // namespace

results_directory open_results(const std::filesystem::path& path,
                               std::chrono::milliseconds patience) try {
  return {path, directory_lock{path, patience}};
} catch (const disk_full&) {
  throw;
} catch (const std::exception& e) {
  throw usage_error{e.what()};
}

kept_results report_where(const results_directory& wanted, const run_results& results,
                          const std::string& config, const result_output& output) {
  auto kept = keep_results(wanted, results, config);
  if (!output.quiet && output.on_stdout)
    std::cout << output.text << std::flush;
  if (kept.trouble.empty()) {
    if (!output.quiet && output.on_stdout)
      std::cout << "\n" << output.what << " in " << kept.where.string() << std::endl;
    if (output.page)
      report_run(kept.where, output.quiet || !output.on_stdout);
    return kept;
  }
  const auto place = !kept.where.empty()   ? "in " + kept.where.string()
                     : wanted.stays_here() ? std::string{"lost"}
                                           : std::string{"on standard output only"};
  std::cerr << "troupe: " << kept.trouble << "; the " << output.what << " are " << place
            << std::endl;
  if (wanted.stays_here())
    return kept;
  if (!kept.where.empty() && output.page)
    report_run(kept.where, output.quiet || !output.on_stdout);
  if (kept.where.empty() && output.on_stdout)
    std::cout << '\n' << summary_text(results) << std::endl;
  return kept;
}

bool holds_other_results(const std::filesystem::path& path, const std::string& config) {
  std::ifstream in{path / results_directory::config_name, std::ios::binary};
  if (!in)
    return false;
  return std::string{std::istreambuf_iterator<char>{in}, {}} != config;
}

results_directory open_free_results(const std::filesystem::path& path, const std::string& config,
                                    bool overwrite) {
  auto at = path;
  std::string why;
  for (int n = 2;; ++n) {
    const auto is_other = [&] { return !overwrite && holds_other_results(at, config); };
    try {
      std::optional<results_directory> found;
      if (!is_other())
        found.emplace(at, directory_lock{at});
      if (found && !is_other()) {
        if (!why.empty())
          std::cerr << "troupe: " << why << "the results of this run go to " << at.string()
                    << std::endl;
        return std::move(*found);
      }
      why += at.string() + " holds the results of other settings; ";
    } catch (const directory_in_use&) {
      why += at.string() + " is in use by another run; ";
    } catch (const disk_full&) {
      throw;
    } catch (const std::exception& e) {
      throw usage_error{e.what()};
    }
    at = path.string() + '.' + std::to_string(n);
  }
}

ended_run run_watched(const run_settings& settings, const results_directory& to, bool quiet,
                      settings_reload reload, timeline* drawn, live_run* live) {
  warn_of_memory(settings);
  watch_signals();
  console_monitor monitor{to, settings, quiet, std::move(reload), drawn, live};
  log::info("run started: {}, seed {}", settings.name, settings.seed);
  auto recorded = settings;
  if (drawn != nullptr)
    recorded.records = record_level::tasks;
  auto results = run(recorded, monitor);
  results.records = settings.records;
  const bool complete = monitor.finish(results);
  log::info("run ended at {}", to_string(results.simulated));
  return {std::move(results), complete};
}

bool tell_incomplete(const std::vector<std::string>& files) {
  for (const auto& name : files)
    std::cerr << "troupe: " << name << " is incomplete, as it could not be written to its end"
              << std::endl;
  return files.empty();
}

int exit_code_of(const ended_run& run) {
  const auto& results = run.results;
  for (const auto& check : results.checks)
    if (!check.passed)
      return exit_code::failed;
  if (!run.complete)
    return exit_code::failed;
  return results.interrupted ? 128 + caught_signal() : exit_code::done;
}

} // namespace troupe
