#pragma once

#include "nodes/agent/run_node.hpp"
#include "report/csv/row_writer.hpp"
#include "report/progress/progress.hpp"
#include "report/results/results_directory.hpp"
#include "support/explain_desk.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

#include <atomic>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace troupe {

/// Watches the node of a process: tells what it does on the terminal, and writes the results of the
/// workload if that belongs to it. A signal ends the node.
class console_node final : public node_monitor {
public:
  struct options {
    std::string out; ///< directory for results; empty: none
    bool quiet = false;
  };

  /// Opens the directory of the results. Throws `usage_error`. `node` must outlive it.
  console_node(options how, const node_options& node);

  void listens(const host_port& at) override;
  void serves(const std::string& url) override;
  void waits(const std::string& what, std::chrono::seconds since) override;
  void work_begins(const run_settings& settings) override;
  void find_story(const story_request& asked, std::function<void(story_reply)> tell) override;
  void progress(const run_progress& at) override;
  bool take_row(const interval_record& row, const run_results& so_far) override;
  bool take_row(const tenant_record& row, const run_results& so_far) override;
  void take_records(const record_batch& records, const run_results& so_far) override;
  void results(const run_results& measured, const run_settings& settings) override;
  bool stop_requested() override { return caught_signal() != 0; }

  /// Returns whether the results were written to the intended place.
  bool has_written() const { return written_; }

private:
  options options_;
  const node_options& node_;
  std::optional<results_directory> directory_;
  std::optional<row_writer> rows_; ///< of the workload, if it runs here
  bool written_ = true;
  std::string waits_for_;
  std::chrono::seconds waits_told_{0};
  run_progress last_;
  progress_printer printer_{std::cerr, progress_on_stderr()};
  std::atomic<std::uint64_t> records_wanted_{0}; ///< counts requests
  std::atomic<std::uint64_t> records_written_{0};
  std::atomic<bool> over_{false}; ///< the workload, and its results are written
  std::mutex mutex_;
  std::unique_ptr<explain_desk> desk_; ///< guarded by mutex_; null: no records of tasks are kept
};

} // namespace troupe
