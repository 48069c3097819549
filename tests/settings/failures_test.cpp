#include "settings/reading.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("failures are read with their times and targets") {
  const auto s = parsed(R"(
[failures]
heartbeat = "200ms"
timeout = "1s"
standby_owners = 2
[[faults.at]]
kind = "freeze"
target = "owner.1"
time = "3s"
duration = "2s"
[[faults.at]]
kind = "delay"
target = "scheduler.*"
other = "machine.3"
delay = "40ms"
[faults]
until = "60s"
[[faults.random]]
role = "scheduler"
distribution = "weibull"
shape = 1.5
mttf = "20s"
)" + one_phase);
  CHECK(s.failures.heartbeat == 200ms);
  CHECK(s.failures.standby_owners == 2);
  REQUIRE(s.faults.at.size() == 2);
  CHECK(s.faults.at[0].kind == fault_kind::freeze);
  CHECK(s.faults.at[0].length == 2s);
  CHECK(s.faults.at[1].delay == 40ms);
  REQUIRE(s.faults.random.size() == 1);
  CHECK(s.faults.random[0].role == role::scheduler);
  CHECK(s.faults.random[0].distribution == lifetime_kind::weibull);
  CHECK(s.faults.random[0].shape == 1.5);
  CHECK(s.faults.random[0].mttr == 1min);
  CHECK(s.faults.any());
}

TEST_CASE("failures of what is not there are refused") {
  CHECK(refusal("[[faults.at]]\ntarget = 'machine.5000'\n" + one_phase)
          .find("f.toml:2: key 'faults.at.0.target': value \"machine.5000\"; expected master, "
                "machine.N with N from 0 to ") == 0);
  CHECK(refusal("[[faults.at]]\nkind = 'kill'\ntarget = 'owner.*'\n" + one_phase)
          .find("f.toml:3: key 'faults.at.0.target': value \"owner.*\"; expected master") == 0);
  CHECK(refusal("[[faults.at]]\nkind = 'cut'\nother = 'rack.1'\n" + one_phase)
          .find("f.toml:3: key 'faults.at.0.other': value \"rack.1\"; expected master") == 0);
}

TEST_CASE("a pattern for the sides of a link has to match some member") {
  const auto with = [](const std::string& side, const std::string& more = {}) {
    return more + "[[faults.at]]\nkind = 'cut'\ntarget = '" + side + "'\n" + one_phase;
  };
  for (const std::string side : {"*", "**", "s*", "*er.*", "scheduler.*", "scheduler.1*",
                                 "scheduler.*9", "scheduler.3.*", "owner.*2", "*.19", "*.19*", "m*",
                                 "*master*", "*e*.499*", "workload.*", "*load.0", "*.*.*"})
    CHECK(parsed(with(side)).faults.at[0].target == side);
  for (const std::string side :
       {"shceduler.*", "scheduler.20*", "scheduler*x", "*scheduler", "machine.*.*", "owner.2x*",
        "allocator*", "rack.*", "m*.99999", "workload.1*", "master.*"}) {
    CAPTURE(side);
    const auto text = refusal(with(side));
    CHECK(text.starts_with("f.toml:3: key 'faults.at.0.target': value \"" + side +
                           "\"; expected master, machine.N"));
    CHECK(text.ends_with("workload.N, or a pattern with * that matches one"));
  }
  const std::string offers = "architecture = 'two-level'\n";
  CHECK(parsed(with("allocator*", offers)).faults.at[0].target == "allocator*");
  const std::string probing = "architecture = 'sparrow'\n";
  CHECK(refusal(with("owner.*", probing)).starts_with("f.toml:4: key 'faults.at.0.target'"));
  const std::string from_trace = "cluster = { trace = { file = 'm.swf' } }\n";
  CHECK(parsed(with("machine.*77", from_trace)).faults.at[0].target == "machine.*77");
}

TEST_CASE("failures that nobody watches are refused") {
  for (const std::string faults : {"faults = { at = [{ target = 'machine.0' }] }\n",
                                   "faults = { random = [{ role = 'machine' }], until = '9s' }\n",
                                   "faults = { trace = 'f.txt' }\n"}) {
    CAPTURE(faults);
    CHECK(refusal("failures = { watch = 'off' }\n" + faults + one_phase)
            .find("f.toml:1: key 'failures.watch': value \"off\"; expected on or auto, as nothing "
                  "fails in a run whose failures are not watched") == 0);
    CHECK(parsed("failures = { watch = 'on' }\n" + faults + one_phase).faults.any());
  }
  CHECK(parsed("failures = { watch = 'off' }\n" + one_phase).failures.watch == watch_kind::off);
}

TEST_CASE("the machines of a trace may have any number before it is read") {
  const std::string trace = "[cluster.trace]\nfile = 'm.swf'\n";
  for (const std::string kind : {"kill", "drain", "cut"})
    CHECK(
      parsed("[[faults.at]]\nkind = '" + kind + "'\ntarget = 'machine.5000'\n" + trace + one_phase)
        .faults.at.size() == 1);
  CHECK(refusal("[[faults.at]]\ntarget = 'machine.x'\n" + trace + one_phase)
          .find("f.toml:2: key 'faults.at.0.target': value \"machine.x\"; expected master, "
                "machine.N, owner.N with N from 0 to ") == 0);
}

TEST_CASE("where schedulers probe machines there are no owners that could fail") {
  const std::string sparrow = "architecture = 'sparrow'\n";
  CHECK(refusal(sparrow + "[[faults.at]]\ntarget = 'owner.0'\n" + one_phase)
          .find("f.toml:3: key 'faults.at.0.target': value \"owner.0\"; expected master, "
                "machine.N with N from 0 to ") == 0);
  CHECK(refusal(sparrow + "[faults]\nuntil = '9s'\n[[faults.random]]\nrole = 'owner'\n" + one_phase)
          .find("expected machine, scheduler or master, as there are no owners") !=
        std::string::npos);
  CHECK(refusal(sparrow + "[chaos]\nkinds = ['owner', 'cut']\n" + one_phase)
          .find("expected machine, scheduler, master, cut, loss, delay or drain") !=
        std::string::npos);
  CHECK(parsed(sparrow + one_phase).chaos.kinds == chaos_settings{}.kinds);
}

TEST_CASE("time-outs that a healthy member would not meet are refused") {
  CHECK(refusal("[failures]\nheartbeat = '1s'\n" + one_phase) ==
        "f.toml:2: key 'failures.timeout': value \"1500ms\" (the default); expected more than "
        "twice failures.heartbeat, \"1s\"");
}

TEST_CASE("machines that join and leave neither fail otherwise nor come from a trace") {
  const std::string grows = "[chaos]\ngrowth = true\n";
  const std::string expected = "key 'chaos.growth': value true; expected false, as ";
  CHECK(refusal(grows + one_phase) == "accepted");
  CHECK(refusal(grows + "[[faults.at]]\ntarget = 'owner.0'\n" + one_phase) == "accepted");
  for (const std::string with :
       {"[[faults.at]]\ntarget = 'machine.1'\n", "[[faults.at]]\nkind = 'drain'\n",
        "[faults]\nuntil = '9s'\n[[faults.random]]\nrole = 'machine'\n",
        "[faults]\ntrace = 'failures.csv'\n", "[cluster.trace]\nfile = 'machines'\n",
        "[[task_classes]]\nname = 'a'\n"}) {
    CAPTURE(with);
    CHECK(refusal(grows + with + one_phase).find(expected) != std::string::npos);
  }
}

TEST_CASE("failures at random need an end, and virtual time") {
  CHECK(refusal("[[faults.random]]\nrole = 'machine'\n" + one_phase)
          .find("key 'faults.until': value \"0s\" (the default); expected a time after which") !=
        std::string::npos);
  CHECK(refusal("clock = 'real'\n[failures]\nwatch = 'on'\n" + one_phase)
          .find("key 'clock': value \"real\"; expected virtual, as there are failures") !=
        std::string::npos);
  CHECK(refusal("[chaos]\nkinds = ['rack']\n" + one_phase)
          .find("key 'chaos.kinds.0': value \"rack\"; expected machine, owner, scheduler, master, "
                "allocator, cut, loss, delay or drain") != std::string::npos);
  CHECK(refusal("[chaos]\nkinds = ['cut', 3]\n" + one_phase)
          .find("f.toml:2: key 'chaos.kinds.1': value 3; expected a text") != std::string::npos);
}
