#pragma once

#include "model/live/live_board.hpp"
#include "web/route_table.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace troupe {

/// The clock of a run in virtual time, as the page shows it.
struct page_clock {
  bool paused = false;
  double speed = 0; ///< 0: as fast as possible
};

/// What people may do to the clock of a run.
struct page_clock_controls {
  std::function<page_clock()> read;
  std::function<void()> pause;
  std::function<void()> go_on;
  std::function<void(std::uint64_t intervals)> step;
  std::function<void(double speed)> set_speed; ///< 0: as fast as possible
};

/// The sources of the page's data. All functions are called in the thread of the server.
struct live_sources {
  std::shared_ptr<live_board> board;
  std::optional<page_clock_controls> clock{}; ///< none: time passes by itself
  web_handler explain{};                      ///< of `?task=JOB.TASK`; may be empty
  web_handler why_not{};                      ///< of `?task=JOB.TASK&machine=M&at=TIME`, likewise
  std::string why_no_explain = "this program cannot explain tasks";
  std::function<std::string()> metrics{}; ///< a text for Prometheus; may be empty
  std::string why_no_metrics = "there are no metrics here";
};

/// The live page, and the API under it: docs/live.md, docs/openapi.json. What it costs does not
/// depend on the number of its readers, and little on the size of the cluster.
class live_page {
public:
  explicit live_page(live_sources from);

  /// Adds the page and the API to the routes of a server. This object has to exist as long as the
  /// server.
  void mount(route_table& routes);

  /// Publishes the news of the board to the readers: totals and rows at most four times a second,
  /// members and partitions once a second. `at_once` publishes both now. Does nothing without
  /// readers. May be called from any thread, at each sample.
  void refresh(bool at_once = false);

  /// Publishes everything again, unless there is no reader: for boards whose run, or whose events,
  /// have changed by other causes than samples.
  void show_all();

  /// Publishes the end of the run. The page stays as it is.
  void end();

  std::size_t readers() const { return feed_->readers(); }

private:
  using wall = std::chrono::steady_clock;

  std::string hello() const;
  std::string tick(const live_state& state, const std::string& rows,
                   const std::string& events) const;
  std::string clock_text() const;
  web_response control(const web_request& request);

  live_sources from_;
  std::shared_ptr<event_feed> feed_;
  std::mutex mutex_;
  wall::time_point next_tick_;
  wall::time_point next_details_;
  std::uint64_t told_samples_ = 0;
  std::uint64_t told_events_ = 0;
};

/// Adds the page to a server that shows no run. All requests for data have the same answer, with
/// the reason; the page shows it, and asks again.
void mount_without_run(route_table& routes, const std::function<web_response()>& answer);

} // namespace troupe
