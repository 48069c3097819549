#pragma once

#include "live/live_page.hpp"
#include "runtime/run/run_pace.hpp"
#include "settings/schema/settings.hpp"
#include "web/server.hpp"

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
  /// Begins to serve, and prints where on stderr. Throws `usage_error` if the options contradict
  /// each other or the settings, or if the address cannot be listened on.
  live_run(const serve_options& options, const run_settings& settings);

  /// Where the run writes its samples.
  const std::shared_ptr<live_board>& board() const { return board_; }

  /// Shows what the board has: to be called after each interval.
  void refresh() { page_.refresh(); }

  /// Waits until the interval may pass, or `stop` returns true.
  void before_interval(instant from, instant to, const std::function<bool()>& stop);

  /// Shows that the run has ended and, if the options ask for it, goes on serving until `stop`
  /// returns true.
  void end(const std::function<bool()>& stop);

private:
  std::shared_ptr<live_board> board_ = std::make_shared<live_board>();
  run_pace pace_;
  bool stay_;
  std::string url_;
  live_page page_;
  std::unique_ptr<web_server> server_; ///< ends before what it serves
};

} // namespace troupe
