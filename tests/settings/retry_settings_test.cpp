#include "settings/reading.hpp"
#include "settings/toml/print.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("what schedulers do about refusals can be set for all and for each group") {
  const auto s = parsed(R"([scheduler]
commit = "all-or-nothing"
max_empty_attempts = 100
candidates = 3
keep_away = "5s"
retry = { at = "back", delay = "1s", factor = 2, max_delay = "8s", jitter = 0.5 }
[[groups]]
name = "a"
schedulers = 1
[[groups]]
name = "b"
schedulers = 1
scheduler.retry.delay = "2s"
scheduler.retry.wait_for_refresh = true
)" + one_phase.substr(0, 0),
                        {"workload.kind=burst"});
  const auto& a = s.groups.at(0).scheduler;
  CHECK(a.commit == commit_kind::all_or_nothing);
  CHECK(a.max_empty_attempts == 100);
  CHECK(a.candidates == 3);
  CHECK(a.keep_away == 5s);
  CHECK(a.retry == retry_settings{retry_place::back, 1s, 2, 8s, 0.5, false});
  CHECK(s.groups.at(1).scheduler.retry == retry_settings{retry_place::back, 2s, 2, 8s, 0.5, true});
  CHECK(parsed(to_toml(s)) == s);
}

TEST_CASE("settings for refusals that cannot be are refused") {
  CHECK(refusal("[scheduler]\ncommit = 'some'\n" + one_phase) ==
        "f.toml:2: key 'scheduler.commit': value \"some\"; expected incremental or all-or-nothing");
  CHECK(refusal("[scheduler]\ncandidates = 0\n" + one_phase) ==
        "f.toml:2: key 'scheduler.candidates': value 0; expected a whole number, 1 .. 100");
  CHECK(refusal("[scheduler.retry]\nfactor = 0.5\n" + one_phase) ==
        "f.toml:2: key 'scheduler.retry.factor': value 0.5; expected a number, 1 .. 1000");
  CHECK(refusal("[scheduler.retry]\njitter = 1.5\n" + one_phase) ==
        "f.toml:2: key 'scheduler.retry.jitter': value 1.5; expected a number, 0 .. 1");
  CHECK(refusal("[scheduler.retry]\ndelay = '2s'\nmax_delay = '1s'\n" + one_phase) ==
        "f.toml:3: key 'scheduler.retry.max_delay': value \"1s\"; expected \"0s\", or at least "
        "scheduler.retry.delay, \"2s\"");
  CHECK(
    refusal("architecture = 'sparrow'\nscheduler.retry.wait_for_refresh = true\n" + one_phase) ==
    "f.toml:2: key 'scheduler.retry.wait_for_refresh': value true; expected false, as no view "
    "is ever refreshed with sync.plan = \"none\"");
  CHECK(refusal("owner.hold_timeout = '3s'\nworkload.gang = true\n" + one_phase) ==
        "f.toml:1: key 'owner.hold_timeout': value \"3s\"; expected at least twice "
        "scheduler.commit_timeout, \"2s\"");
  CHECK(refusal("owner.hold_timeout = '3s'\n" + one_phase) == "accepted");
}
