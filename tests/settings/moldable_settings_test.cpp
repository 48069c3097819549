#include "settings/reading.hpp"
#include "settings/toml/print.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("moldable jobs and the choice of their widths are read and printed") {
  const auto s = parsed(R"(architecture = "monolithic"
[scheduler]
discipline = "easy"
width = "earliest-finish"
[workload.moldable]
share = 0.5
min_width = 0.5
max_width = 8
speedup = "amdahl"
serial_fraction = 0.2
)" + one_phase);
  CHECK(s.groups.at(0).scheduler.width == width_rule::earliest_finish);
  CHECK(s.groups[0].workload.moldable ==
        moldable_settings{0.5, 0.5, 8, speedup_kind::amdahl, 0.2, 2, 1});
  CHECK(parsed(to_toml(s)) == s);
}

TEST_CASE("widths may be chosen on machines with windows") {
  const auto s = parsed("scheduler = { discipline = 'easy', width = 'available' }\n"
                        "cluster.windows = 'w.csv'\n" +
                        one_phase);
  CHECK(s.groups.at(0).scheduler.width == width_rule::available);
  CHECK(s.cluster.windows == "w.csv");
}

TEST_CASE("values of moldable jobs that cannot be are refused") {
  CHECK(refusal("[workload.moldable]\nshare = 1.5\n" + one_phase) ==
        "f.toml:2: key 'workload.moldable.share': value 1.5; expected a number, 0 .. 1");
  CHECK(refusal("[workload.moldable]\nmin_width = 2\n" + one_phase) ==
        "f.toml:2: key 'workload.moldable.min_width': value 2; expected a number, more than "
        "0, at most 1");
  CHECK(
    refusal("[workload.moldable]\nspeedup = 'gustafson'\n" + one_phase) ==
    "f.toml:2: key 'workload.moldable.speedup': value \"gustafson\"; expected linear, amdahl or "
    "downey");
  CHECK(refusal("[scheduler]\nwidth = 'widest'\n" + one_phase) ==
        "f.toml:2: key 'scheduler.width': value \"widest\"; expected requested, available or "
        "earliest-finish");
}

TEST_CASE("widths are not chosen where nothing tells what will be free") {
  CHECK(refusal("scheduler.width = 'available'\n" + one_phase) ==
        "f.toml:1: key 'scheduler.width': value \"available\"; expected requested, or a "
        "scheduler.discipline other than fit, which chooses widths by what it expects to be free");
  CHECK(refusal("architecture = 'sparrow'\nscheduler.width = 'available'\n" + one_phase) ==
        "f.toml:2: key 'scheduler.width': value \"available\"; expected requested, or a "
        "scheduler.discipline other than fit, which chooses widths by what it expects to be free");
  CHECK(refusal("scheduler = { discipline = 'easy', width = 'available' }\n"
                "workload = { kind = 'trace', file = 'x', moldable.share = 1, trace.think_times = "
                "true }\n") ==
        "f.toml:1: key 'scheduler.width': value \"available\"; expected requested, as jobs with "
        "workload.trace.think_times wait for all tasks that others have in the log");
}
