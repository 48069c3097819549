#include "experiments/processes/run_progress_line.hpp"

#include "experiments/sweeps/search_report.hpp"
#include "report/text/text.hpp"

#include <fmt/core.h>

#include <utility>

namespace troupe {

namespace {

constexpr double plain_interval = 10; ///< s

std::string line(const execution_progress& at, double seconds) {
  auto text = fmt::format("{} of {} runs, {} under way, {}", at.done, at.total, at.running,
                          seconds_text(seconds));
  if (at.done > at.reused && at.total > at.done)
    text += fmt::format(", about {} left",
                        seconds_text(seconds * static_cast<double>(at.total - at.done) /
                                     static_cast<double>(at.done - at.reused)));
  if (!at.last.empty())
    text += "; last: " + at.last;
  return text;
}

} // namespace

execution_printer::execution_printer(std::ostream& out, progress_style style,
                                     std::function<double()> seconds, bool steps)
  : out_(&out), style_(style), seconds_(std::move(seconds)), steps_(steps) {}

void execution_printer::progress(const execution_progress& at) {
  const auto now = seconds_();
  if (style_ == progress_style::refreshed) {
    *out_ << '\r' << fit(line(at, now), progress_width) << "\x1b[K" << std::flush;
    open_ = true;
  } else if (now - shown_ >= plain_interval || (!estimated_ && at.done > at.reused)) {
    estimated_ = at.done > at.reused;
    *out_ << line(at, now) << std::endl;
    shown_ = now;
  }
}

void execution_printer::failed(const std::string& text) {
  finish();
  *out_ << text << std::endl;
}

void execution_printer::stepped(const planned_run& plan, const search_step& step) {
  if (!steps_)
    return;
  finish();
  *out_ << step_text(plan, step) << std::endl;
}

void execution_printer::finish() {
  if (std::exchange(open_, false))
    *out_ << "\r\x1b[K" << std::flush;
}

} // namespace troupe
