#include "report/progress/seed_progress.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

struct hunt_fixture {
  seed_progress::clock::time_point begin{};
  std::ostringstream progress;
  std::ostringstream findings;
};

} // namespace

TEST_CASE_FIXTURE(hunt_fixture, "a file gets a line of progress after a second, then every ten") {
  seed_progress hunt{1000, progress, findings, progress_style::plain, begin};
  for (int i = 1; i <= 99; ++i)
    hunt.done("", begin + i * 100ms);
  CHECK(progress.str() == "10 of 1000 seeds, 10/s, about 99.0 s left\n");
  hunt.done("", begin + 10s);
  hunt.done("", begin + 11s);
  hunt.clear();
  CHECK(progress.str() == "10 of 1000 seeds, 10/s, about 99.0 s left\n"
                          "101 of 1000 seeds, 9.18/s, about 97.9 s left\n");
  CHECK(findings.str().empty());
}

TEST_CASE_FIXTURE(hunt_fixture, "a terminal gets one line, which gives way to findings") {
  seed_progress hunt{4, progress, progress, progress_style::refreshed, begin};
  hunt.done("", begin + 1s);
  hunt.done("seed 2 fails", begin + 1100ms);
  hunt.done("", begin + 3s);
  hunt.clear();
  CHECK(progress.str() == "\r1 of 4 seeds, 1/s, about 3.00 s left\x1b[K"
                          "\r\x1b[Kseed 2 fails\n"
                          "\r3 of 4 seeds, 1/s, about 1.00 s left\x1b[K"
                          "\r\x1b[K");
}
