#include "report/progress/seed_progress.hpp"

#include "report/text/text.hpp"

#include <fmt/core.h>

#include <utility>

namespace troupe {

namespace {

/// The least time between two lines. The first plain one comes soon: it tells the time left.
std::chrono::milliseconds interval_of(progress_style style, bool first) {
  if (style == progress_style::refreshed)
    return std::chrono::milliseconds{200};
  return std::chrono::milliseconds{first ? 1'000 : 10'000};
}

} // namespace

seed_progress::seed_progress(std::uint64_t seeds, std::ostream& progress, std::ostream& findings,
                             progress_style style, clock::time_point now)
  : total_(seeds),
    progress_(&progress),
    findings_(&findings),
    style_(style),
    began_(now),
    shown_(now) {}

void seed_progress::done(const std::string& finding, clock::time_point now) {
  const std::lock_guard lock{mutex_};
  ++done_;
  if (!finding.empty()) {
    erase();
    *findings_ << finding << std::endl;
  }
  if (now - shown_ < interval_of(style_, shown_ == began_))
    return;
  shown_ = now;
  const auto text = line(std::chrono::duration<double>(now - began_).count());
  if (style_ == progress_style::refreshed) {
    *progress_ << '\r' << fit(text, progress_width) << "\x1b[K" << std::flush;
    open_ = true;
  } else {
    *progress_ << text << std::endl;
  }
}

void seed_progress::clear() {
  const std::lock_guard lock{mutex_};
  erase();
}

void seed_progress::erase() {
  if (std::exchange(open_, false))
    *progress_ << "\r\x1b[K" << std::flush;
}

std::string seed_progress::line(double seconds) const {
  const auto done = static_cast<double>(done_);
  const auto left = static_cast<double>(total_ - done_);
  return fmt::format("{} of {} seeds, {}/s, about {} left", done_, total_,
                     compact_text(done / seconds), seconds_text(seconds * left / done));
}

} // namespace troupe
