#include "report/progress/progress.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace troupe;

namespace {

using std::chrono::seconds;

run_progress at(double now, double wall, std::uint64_t placed) {
  run_progress p;
  p.now = from_seconds(now);
  p.length = seconds{300};
  p.wall_seconds = wall;
  p.placed = placed;
  p.conflicts = placed / 100;
  p.queued = 12;
  return p;
}

} // namespace

TEST_CASE("plain lines come at the set interval, with the speed since the line before") {
  std::ostringstream out;
  progress_printer printer(out, progress_style::plain, seconds{5});
  printer.update(at(10, 1, 400'000));
  CHECK(out.str().empty());
  printer.update(at(60, 5, 2'400'000));
  printer.update(at(100, 9.9, 4'000'000));
  printer.update(at(160, 10, 6'400'000));
  CHECK(out.str() ==
        "60.0 s 20%, 12x, 2.40M tasks, 480k/s, 24.0k conflicts, 12 queued, 20.0 s left\n"
        "160 s 53%, 20x, 6.40M tasks, 800k/s, 64.0k conflicts, 12 queued, 8.75 s left\n");
}

TEST_CASE("the last line tells of the whole run, and there is nothing after it") {
  std::ostringstream out;
  progress_printer printer(out, progress_style::plain, seconds{5});
  printer.update(at(160, 10, 6'400'000));
  out.str("");
  printer.finish(at(300, 10.5, 8'520'000));
  printer.update(at(300, 100, 8'520'000));
  printer.finish(at(300, 100, 8'520'000));
  CHECK(out.str() == "300 s 100%, 28.6x, 8.52M tasks, 811k/s, 85.2k conflicts, 12 queued\n");
}

TEST_CASE("on a terminal one line is written over itself") {
  std::ostringstream out;
  progress_printer printer(out, progress_style::refreshed);
  printer.update(at(1, 0.05, 40'000));
  CHECK(out.str().empty());
  printer.update(at(3, 0.125, 120'000));
  printer.finish(at(6, 0.25, 240'000));
  CHECK(out.str() == "\r3.00 s 1%, 24x, 120k tasks, 960k/s, 1.20k conflicts, 12 queued, 12.4 s left"
                     "\x1b[K"
                     "\r6.00 s 2%, 24x, 240k tasks, 960k/s, 2.40k conflicts, 12 queued, 12.3 s left"
                     "\x1b[K\n");
}

TEST_CASE("a run of unknown length shows neither percent nor time left") {
  std::ostringstream out;
  progress_printer printer(out, progress_style::plain, seconds{0});
  auto p = at(10, 2, 100);
  p.length = duration{0};
  printer.update(p);
  CHECK(out.str() == "10.0 s, 5x, 100 tasks, 50/s, 1 conflicts, 12 queued\n");
}

TEST_CASE("the log of an idle cluster does not grow") {
  std::ostringstream out;
  progress_printer printer(out, progress_style::plain, seconds{5});
  auto p = at(10, 5, 100);
  p.length = duration{0};
  p.queued = 0;
  printer.update(p);
  out.str("");
  p.now += seconds{3600};
  p.wall_seconds += 3600;
  printer.update(p);
  CHECK(out.str().empty());
  p.queued = 1;
  printer.update(p);
  CHECK_FALSE(out.str().empty());
  out.str("");
  p.queued = 0;
  ++p.finished;
  p.wall_seconds += 10;
  printer.update(p);
  CHECK_FALSE(out.str().empty());
}

TEST_CASE("a terminal's line never wraps, whatever the numbers") {
  std::ostringstream out;
  progress_printer printer(out, progress_style::refreshed, seconds{0});
  run_progress p;
  p.now = instant::max() / 3;
  p.length = duration::max();
  p.wall_seconds = 123456.7;
  p.placed = p.conflicts = p.queued = UINT64_MAX;
  printer.update(p);
  const auto text = out.str();
  CHECK(text.size() <= 79 + 4);
  CHECK(text.find('\n') == std::string::npos);
}

TEST_CASE("no wall time passed is no reason for infinite speeds") {
  std::ostringstream out;
  progress_printer printer(out, progress_style::plain, seconds{0});
  printer.update(at(0, 0, 0));
  CHECK(out.str() == "0 s 0%, 0x, 0 tasks, 0/s, 0 conflicts, 12 queued\n");
}
