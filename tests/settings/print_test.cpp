#include "settings/reading.hpp"
#include "settings/toml/print.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace troupe;

namespace {

void check_round_trip(const run_settings& s) {
  const auto text = to_toml(s);
  CAPTURE(text);
  const auto again = parsed(text);
  CHECK(again == s);
  CHECK(to_toml(again) == text);
}

} // namespace

TEST_CASE("printed settings give equal settings when read again") {
  check_round_trip(parsed(one_phase));
  check_round_trip(parsed("architecture = \"statesync\"\nsync.groups = 20\n" + one_phase));
  check_round_trip(
    parsed(one_phase, {"name=\"quoted\" \\ ü", "seed=123456789012345678", "policy.ema_weight=0.1",
                       "network.loss=1e-17", "workload.duration.max=999999999.5",
                       "workload.file=tab\there a\nb\x7f'"}));
  check_round_trip(parsed(R"(
[cluster]
unit = { cpu = 0.1 }
fragment = { cpu = 0.2, slots = 1 }
[[cluster.classes]]
cpu = 0.3
slots = 1
attributes = { "a.b c" = "x", d = "y\"z" }
[[cluster.classes]]
name = "other"
slots = 2
[[task_classes]]
name = "picky"
prefers = { "d == y\"z" = 0.7, "a.b c != 3.5" = -1e-3 }
[[network.cuts]]
from = "1ns"
to = "3h"
[workload]
requests = [{ slots = 1 }, { weight = 0.3, cpu = 0.2, constraints = ["d != z"] }]
task_class = "picky"
[workload.duration]
kind = "quantiles"
levels = [0, 0.333333333333333, 1]
values = [0.1, 1e-7, 1e9]
min = 0.1
)" + std::string("[[workload.phases]]\nrate = 0\n"),
                          {"workload.duration.values.1=5"}));
}

TEST_CASE("groups are printed where they differ from the top level") {
  const auto one = to_toml(parsed(one_phase));
  CHECK(one.find("[[groups]]") == std::string::npos);
  const auto text = one_phase + R"([[groups]]
name = "A"
schedulers = 1
[[groups]]
name = "B"
schedulers = 2
workload.kind = "burst"
workload.phases = []
)";
  CHECK(to_toml(parsed(text)).find("[[groups]]") != std::string::npos);
  check_round_trip(parsed(text));
}

TEST_CASE("the reference shows every setting and can be read") {
  const auto reference = settings_reference();
  CHECK(parsed(reference) == parsed(one_phase));
  for (const std::string part :
       {"[[workload.phases]]", "# [[cluster.classes]]", "# [[network.cuts]]", "# [[groups]]",
        "# [groups.workload]", "# [[workload.requests]]", "ema_weight = 0.1",
        "# [adaptive, best-fit, latency-first, quality-first, random-fit or", "gap = \"1s\"",
        "[tasks/s, 0 .. 1000000000]"}) {
    CAPTURE(part);
    CHECK(reference.find(part) != std::string::npos);
  }
}

TEST_CASE("the reference names every key of the printed settings") {
  std::istringstream keys(to_toml(parsed(one_phase)));
  const auto reference = settings_reference();
  for (std::string line; std::getline(keys, line);) {
    CAPTURE(line);
    const auto key = line.substr(0, line.find(" = "));
    const bool found = reference.find(key) != std::string::npos;
    CHECK((found || reference.find("." + key + "]]") != std::string::npos));
  }
}

TEST_CASE("the reference is at most 100 columns wide, without trailing blanks") {
  std::istringstream lines(settings_reference());
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(line.size() <= 100);
    CHECK_FALSE(line.ends_with(' '));
  }
}

TEST_CASE("the reference breaks lines between words only") {
  std::string comments;
  std::istringstream lines(settings_reference());
  for (std::string line; std::getline(lines, line);)
    if (const auto comment = line.find("# "); comment != std::string::npos)
      comments += line.substr(comment + 2) + ' ';
  for (const auto* part :
       {"postgresql://[USER@]HOST[:PORT]/DATABASE", "the settings of [scheduler]"}) {
    CAPTURE(part);
    CHECK(comments.find(part) != std::string::npos);
  }
}
