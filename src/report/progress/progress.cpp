#include "report/progress/progress.hpp"

#include "report/summary/totals.hpp"
#include "report/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace troupe {

namespace {

double since(std::uint64_t now, std::uint64_t before) {
  return now < before ? 0 : static_cast<double>(now - before);
}

} // namespace

progress_printer::progress_printer(std::ostream& out, progress_style style, duration interval)
  : out_(out), style_(style), interval_(interval) {}

progress_printer::progress_printer(std::ostream& out, progress_style style)
  : progress_printer(out, style,
                     style == progress_style::refreshed ? std::chrono::milliseconds{100}
                                                        : std::chrono::seconds{5}) {}

void progress_printer::update(const run_progress& at) {
  if (!finished_ && at.wall_seconds - shown_.wall_seconds >= in_seconds(interval_) && is_news(at))
    show(at);
}

/// Logs of clusters that serve clients do not grow while they are idle.
bool progress_printer::is_news(const run_progress& at) const {
  return style_ == progress_style::refreshed || at.length > duration{0} || at.queued > 0 ||
         at.placed != shown_.placed || at.finished != shown_.finished ||
         at.conflicts != shown_.conflicts;
}

void progress_printer::finish(const run_progress& at) {
  if (finished_)
    return;
  shown_ = {};
  show(at);
  if (style_ == progress_style::refreshed)
    out_ << std::endl;
  finished_ = true;
}

void progress_printer::show(const run_progress& at) {
  if (style_ == progress_style::refreshed)
    out_ << '\r' << fit(line(at), progress_width) << "\x1b[K" << std::flush;
  else
    out_ << line(at) << std::endl;
  shown_ = at;
}

std::string progress_printer::line(const run_progress& at) const {
  const auto now = in_seconds(at.now);
  const auto length = in_seconds(at.length);
  const auto wall = at.wall_seconds - shown_.wall_seconds;
  auto text = seconds_text(now);
  if (length > 0)
    text += fmt::format(" {:.0f}%", std::min(100.0, now / length * 100));
  const auto speed = wall > 0 ? (now - in_seconds(shown_.now)) / wall : 0;
  const auto rate = wall > 0 ? since(at.placed, shown_.placed) / wall : 0;
  text += fmt::format(", {}x, {} tasks, {}/s, {} conflicts, {} queued", compact_text(speed),
                      compact_text(static_cast<double>(at.placed)), compact_text(rate),
                      compact_text(static_cast<double>(at.conflicts)),
                      compact_text(static_cast<double>(at.queued)));
  if (length > now && now > 0)
    text += fmt::format(", {} left", seconds_text((length - now) * at.wall_seconds / now));
  return text;
}

} // namespace troupe
