#pragma once

#include "live/live_page.hpp"
#include "runtime/run/run_pace.hpp"
#include "settings/schema/settings.hpp"
#include "support/explain_desk.hpp"
#include "web/server.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace troupe {

/// The options with which a run is shown while it goes on.
struct serve_options {
  bool wanted = false;
  std::string address; ///< "HOST:PORT"; empty: the default
  std::string speed;   ///< empty: as fast as possible
  std::string certs;   ///< a directory with ca.crt, NAME.crt, NAME.key
  std::string as;      ///< the NAME
  bool stay = false;   ///< serve after the end
};

/// The address without `--serve HOST:PORT`.
inline constexpr const char* default_serve_address = "127.0.0.1:8980";

void add_serve_options(CLI::App& command, serve_options& options);

/// Serves the live page of one run.
class live_run {
public:
  /// Begins to serve, and prints where on stderr. `results` is the directory for the results of the
  /// run, with its records. Throws `usage_error` if the options contradict
  /// each other or the settings, or if the address cannot be listened on.
  live_run(const serve_options& options, const run_settings& settings,
           const std::filesystem::path& results);

  /// Where the run writes its samples.
  const std::shared_ptr<live_board>& board() const { return board_; }

  /// Shows what the board has: to be called after each interval.
  void refresh() { page_.refresh(); }

  /// Whether the records of ends so far are to be written now; to be called often.
  bool wants_records() { return records_wanted_.load() > records_written_.load(); }

  /// They have been written.
  void records_are_written() { records_written_.store(records_wanted_.load()); }

  /// Waits until the interval may pass, or `stop` returns true.
  void before_interval(instant from, instant to, const std::function<bool()>& stop);

  /// Shows that the run has ended and, if the options ask for it, goes on serving until `stop`
  /// returns true.
  void end(const std::function<bool()>& stop);

private:
  explain_desk::sources sources_for_desk(const run_settings& settings,
                                         const std::filesystem::path& results);
  live_sources sources_for_page(const run_settings& settings);

  std::shared_ptr<live_board> board_ = std::make_shared<live_board>();
  run_pace pace_;
  bool stay_;
  std::string url_;
  std::atomic<std::uint64_t> records_wanted_{0}; ///< counts requests
  std::atomic<std::uint64_t> records_written_{0};
  std::atomic<bool> ended_{false};
  std::unique_ptr<explain_desk> desk_; ///< null: nothing can be explained
  live_page page_;
  std::unique_ptr<web_server> server_; ///< ends before what it serves
};

} // namespace troupe
