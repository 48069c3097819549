#include "settings/reading.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

struct bad {
  std::string text;
  std::string message;
};

void check_all(const std::vector<bad>& cases, const std::string& rest) {
  for (const auto& c : cases) {
    CAPTURE(c.text);
    CHECK(refusal(c.text + "\n" + rest) == c.message);
  }
}

} // namespace

TEST_CASE("unknown keys are refused with the nearest name or all names") {
  check_all(
    {{"\narchitectur = 'x'", "f.toml:2: key 'architectur' is unknown; expected 'architecture'?"},
     {"[sync]\ngapp = '1s'", "f.toml:2: key 'sync.gapp' is unknown; expected 'gap'?"},
     {"[sync]\nperiod = '1s'",
      "f.toml:2: key 'sync.period' is unknown; expected plan, gap or groups"},
     {"[netwrok]\nloss = 0", "f.toml:1: key 'netwrok' is unknown; expected 'network'?"},
     {"[[groups]]\nschedulers = 20\n[groups.sync]\ngap = '1s'",
      "f.toml:3: key 'groups.0.sync' is unknown; expected name, schedulers, offers, scheduler, "
      "policy or "
      "workload"},
     {"[[cluster.classes]]\nslots = 1\nmem = 3",
      "f.toml:3: key 'cluster.classes.0.mem' is unknown; expected name, share, cpu, memory, gpu, "
      "slots or attributes"}},
    one_phase);
}

TEST_CASE("values of the wrong type are refused") {
  check_all(
    {{"schedulers = '20'",
      "f.toml:1: key 'schedulers': value \"20\"; expected a whole number, 1 .. 100000"},
     {"schedulers = 20.0",
      "f.toml:1: key 'schedulers': value 20.0; expected a whole number, 1 .. 100000"},
     {"name = 5", "f.toml:1: key 'name': value 5; expected a text, as in \"abc\""},
     {"sync = 5", "f.toml:1: key 'sync': value 5; expected a table, as in [sync]"},
     {"[groups]\nname = 'a'",
      "f.toml:1: key 'groups': value a table; expected an array of tables, as in [[groups]]"},
     {"[policy]\nema_weight = true",
      "f.toml:2: key 'policy.ema_weight': value true; expected a number, more than 0, at most 1"},
     {"[workload]\nduration_per_job = 1",
      "f.toml:2: key 'workload.duration_per_job': value 1; expected true or false"},
     {"[workload.duration]\nlevels = 3",
      "f.toml:2: key 'workload.duration.levels': value 3; expected an array of numbers, as in "
      "[0, 1]"},
     {"[workload.duration]\nlevels = [0, 'a']",
      "f.toml:2: key 'workload.duration.levels.1': value \"a\"; expected a number, 0 .. 1"},
     {"[[cluster.classes]]\nattributes = 'ssd'",
      "f.toml:2: key 'cluster.classes.0.attributes': value \"ssd\"; expected a table, as in { disk "
      "= \"ssd\" }"},
     {"[[cluster.classes]]\nattributes = { disk = 1 }",
      "f.toml:2: key 'cluster.classes.0.attributes.disk': value 1; expected a text, as in "
      "\"abc\""}},
    one_phase);
}

TEST_CASE("bad durations are refused") {
  check_all(
    {{"[sync]\ngap = 5",
      "f.toml:2: key 'sync.gap': value 5; expected a duration with its unit: write \"5s\""},
     {"[sync]\ngap = 0.5",
      "f.toml:2: key 'sync.gap': value 0.5; expected a duration with its unit: write \"5s\""},
     {"[sync]\ngap = '5 s'", "f.toml:2: key 'sync.gap': value \"5 s\"; expected a duration such as "
                             "\"5s\" (units: ns, us, ms, s, m, h)"},
     {"[sync]\ngap = 0", "f.toml:2: key 'sync.gap': value 0; expected a duration, at least 100us"},
     {"[network]\nlatency = '-1ms'",
      "f.toml:2: key 'network.latency': value \"-1ms\"; expected a duration, at least 0"},
     {"duration = '1000000h'", "f.toml:1: key 'duration': value \"1000000h\"; expected a duration "
                               "of at most 876000h (100 years)"},
     {"duration = '0.5ns'",
      "f.toml:1: key 'duration': value \"0.5ns\"; expected a duration of whole nanoseconds"},
     {"[scheduler]\nt_task = '0s'",
      "f.toml:2: key 'scheduler.t_task': value \"0s\"; expected a duration, more than 0"}},
    one_phase);
}

TEST_CASE("numbers out of range are refused") {
  check_all(
    {{"seed = -1", "f.toml:1: key 'seed': value -1; expected a whole number, at least 0"},
     {"schedulers = 0",
      "f.toml:1: key 'schedulers': value 0; expected a whole number, 1 .. 100000"},
     {"[cluster]\nmachines = 10000001", "f.toml:2: key 'cluster.machines': value 10000001; "
                                        "expected a whole number, 1 .. 10000000"},
     {"[cluster]\nslots = -2",
      "f.toml:2: key 'cluster.slots': value -2; expected a whole number, 1 .. 1000000"},
     {"[network]\nloss = 1",
      "f.toml:2: key 'network.loss': value 1; expected a number, at least 0, less than 1"},
     {"[network]\nloss = -0.1",
      "f.toml:2: key 'network.loss': value -0.1; expected a number, at least 0, less than 1"},
     {"[policy]\nema_weight = 0.0",
      "f.toml:2: key 'policy.ema_weight': value 0.0; expected a number, more than 0, at most 1"},
     {"[policy]\nema_weight = nan",
      "f.toml:2: key 'policy.ema_weight': value nan; expected a number, more than 0, at most 1"},
     {"[workload.trace]\nspeedup = inf", "f.toml:2: key 'workload.trace.speedup': value inf; "
                                         "expected a number, more than 0, at most 1000000"},
     {"[scheduler]\nbatch = 0",
      "f.toml:2: key 'scheduler.batch': value 0; expected a whole number, 1 .. 1000000"},
     {"[[cluster.classes]]\nslots = 1\nshare = 0",
      "f.toml:3: key 'cluster.classes.0.share': value 0; expected a number, more than 0"},
     {"[[cluster.classes]]\nslots = 1\nshare = inf",
      "f.toml:3: key 'cluster.classes.0.share': value inf; expected a number, more than 0"}},
    one_phase);
}

TEST_CASE("texts that are not among the choices are refused") {
  check_all(
    {{"architecture = 'mesos'",
      "f.toml:1: key 'architecture': value \"mesos\"; expected parsync, statesync, static, "
      "monolithic, two-level, sparrow or hybrid"},
     {"clock = 'wall'", "f.toml:1: key 'clock': value \"wall\"; expected virtual or real"},
     {"[scheduler]\npolicy = 'best'",
      "f.toml:2: key 'scheduler.policy': value \"best\"; expected adaptive, best-fit, "
      "latency-first, quality-first, random-fit or worst-fit"},
     {"[sync]\nplan = 'Full'", "f.toml:2: key 'sync.plan': value \"Full\"; expected partitioned, "
                               "full, same, exclusive, offers or none"},
     {"[workload]\nkind = 'poisson'",
      "f.toml:2: key 'workload.kind': value \"poisson\"; expected phases, burst, trace, "
      "jobs or lublin"},
     {"name = 'a/b'",
      "f.toml:1: key 'name': value \"a/b\"; expected a name that can be a folder's, without / or "
      "control characters"},
     {"name = \"a\\nb\"", "f.toml:1: key 'name': value \"a\\u000ab\"; expected a name that can be "
                          "a folder's, without / or "
                          "control characters"}},
    one_phase);
}

TEST_CASE("a cluster that contradicts itself is refused") {
  check_all(
    {{"[cluster]\nmachines = 10\npartitions = 11\nowners = 2",
      "f.toml:3: key 'cluster.partitions': value 11; expected 1 .. 10, the number of machines"},
     {"[cluster]\nmachines = 10", "f.toml:2: key 'cluster.partitions': value 100 (the default); "
                                  "expected 1 .. 10, the number of machines"},
     {"[cluster]\npartitions = 5\nowners = 6",
      "f.toml:3: key 'cluster.owners': value 6; expected 1 .. 5, the number of partitions"},
     {"schedulers = 4\n[sync]\ngroups = 5",
      "f.toml:3: key 'sync.groups': value 5; expected 0 .. 4, the number of schedulers"},
     {"[[cluster.classes]]\nslots = 1\n[[cluster.classes]]\nshare = 2\nname = 'x'",
      "f.toml:3: key 'cluster.classes.1': value without resources; expected more than 0 of cpu, "
      "memory, gpu or slots"},
     {"[[cluster.classes]]\nslots = 1\n[[cluster.classes]]\nslots = 2",
      "f.toml:3: key 'cluster.classes.1.name': value \"default\" (the default); expected a name "
      "that no other class has"},
     {"[cluster.unit]\ncpu = 1",
      "f.toml:2: key 'cluster.unit.cpu': value 1; expected 0, as no machine has any"},
     {"[cluster.fragment]\ngpu = 1",
      "f.toml:2: key 'cluster.fragment.gpu': value 1; expected 0, as no machine has any"},
     {"[[cluster.classes]]\nmemory = 8\n[workload]\nmemory = 1",
      "f.toml:1: key 'cluster.unit': value all zero; expected more than 0 of a resource that the "
      "machines have, as they have neither slots nor cpu"}},
    "[[workload.phases]]\nload = 0.5\n");
}

TEST_CASE("network cuts that contradict themselves are refused") {
  check_all({{"[[network.cuts]]\nfrom = '2s'\nto = '2s'",
              "f.toml:3: key 'network.cuts.0.to': value \"2s\"; expected a time after "
              "network.cuts.0.from, \"2s\""},
             {"[[network.cuts]]\nto = '2s'\na = 'owner.20'",
              "f.toml:3: key 'network.cuts.0.a': value \"owner.20\"; expected *, master, "
              "allocator, owner.* or "
              "owner.N with N from 0 to 19, scheduler.* or scheduler.N with N from 0 to 19"},
             {"[[network.cuts]]\nto = '2s'\nb = 'schedulers'",
              "f.toml:3: key 'network.cuts.0.b': value \"schedulers\"; expected *, master, "
              "allocator, owner.* or "
              "owner.N with N from 0 to 19, scheduler.* or scheduler.N with N from 0 to 19"}},
            one_phase);
}

TEST_CASE("disciplines that the architecture has no place for are refused") {
  const std::string need = "expected fit, or one of the architectures monolithic, static, parsync "
                           "and statesync: reservations need schedulers of the actor placing, with "
                           "views of all machines that they use";
  check_all(
    {{"architecture = 'two-level'\n[scheduler]\ndiscipline = 'easy'",
      "f.toml:3: key 'scheduler.discipline': value \"easy\"; " + need},
     {"architecture = 'sparrow'\n[scheduler]\ndiscipline = 'conservative'",
      "f.toml:3: key 'scheduler.discipline': value \"conservative\"; " + need},
     {"[scheduler]\ndiscipline = 'backfill'",
      "f.toml:2: key 'scheduler.discipline': value \"backfill\"; expected fit, fcfs, easy or "
      "conservative"},
     {"[scheduler]\norder = 'widest'",
      "f.toml:2: key 'scheduler.order': value \"widest\"; expected fcfs, or a "
      "scheduler.discipline other than fit, which has no order of its own"},
     {"[scheduler]\ndiscipline = 'easy'\npreemption = true",
      "f.toml:3: key 'scheduler.preemption': value true; expected false, as scheduler.discipline = "
      "\"easy\" gives room by reservations"},
     {"architecture = 'sparrow'\n[workload]\nkill_at_estimate = true",
      "f.toml:3: key 'workload.kill_at_estimate': value true; expected false, or schedulers of the "
      "actor placing and emulated tasks: others do not heed estimates"}},
    one_phase);
}

TEST_CASE("arrays and hoarding are refused where nobody heeds them") {
  check_all(
    {{"architecture = 'sparrow'\n[workload]\narray_limit = 3",
      "f.toml:3: key 'workload.array_limit': value 3; expected 0, as a scheduler that probes "
      "machines sends probes for all tasks at once"},
     {"[workload]\narray_limit = 3\ngang = true",
      "f.toml:2: key 'workload.array_limit': value 3; expected 0, as the tasks of a gang start "
      "together and those of stages by stages"},
     {"architecture = 'two-level'\n[offers]\nhoard = 0.5",
      "f.toml:3: key 'offers.hoard': value 0.5; expected 0, or an offers.timeout, without which "
      "schedulers that keep offers could wait for each other for ever"}},
    one_phase);
}

TEST_CASE("groups that contradict the run are refused") {
  check_all(
    {{"schedulers = 4\n[[groups]]\nname = 'a'\nschedulers = 2\n[[groups]]\nname = 'b'\nschedulers "
      "= 3",
      "f.toml:1: key 'schedulers': value 4; expected 5, the sum over the groups"},
     {"pool = 3\nschedulers = 4", "f.toml:2: key 'schedulers': value 4; expected 3, as pool = 3 is "
                                  "how many serve all groups; set "
                                  "that instead"},
     {"[[groups]]\nname = 'a'\nschedulers = 2\n[[groups]]\nname = 'b'",
      "f.toml:4: key 'groups.1.schedulers': value 0; expected at least 1, as there are "
      "several groups"},
     {"[[groups]]\nname = 'a'\nschedulers = 2\n[[groups]]\nname = 'a'\nschedulers = 2",
      "f.toml:5: key 'groups.1.name': value \"a\"; expected a name that no other group has"},
     {"[[groups]]\nname = 'a'\nschedulers = 60000\n[[groups]]\nname = 'b'\nschedulers = 60000",
      "f.toml:1: key 'groups': value 120000 schedulers in all; expected at most 100000"}},
    one_phase);
}

TEST_CASE("workloads that contradict themselves are refused") {
  check_all(
    {{"\n", "f.toml: key 'workload.phases': value none (the default); expected at least one "
            "[[workload.phases]] with a length and a rate or a load"},
     {"[workload]\nkind = 'phases'",
      "f.toml:2: key 'workload.phases': value none (the default); expected at least one "
      "[[workload.phases]] with a length and a rate or a load"},
     {"[[workload.phases]]\nload = 1\n[[workload.phases]]\nlength = '5s'",
      "f.toml:3: key 'workload.phases.1': value without rate and load; expected one of them"},
     {"[[workload.phases]]\nload = 1\nrate = 5",
      "f.toml:2: key 'workload.phases.0.load': value 1; expected only one of rate and load, and "
      "rate is 5"},
     {"[workload]\nkind = 'trace'",
      "f.toml:2: key 'workload.file': value \"\" (the default); expected the path of a trace, as "
      "in --set workload.file=jobs.tr"},
     {"[workload]\nkind = 'burst'\nbursts = 1000\nburst_interval = '10000h'",
      "f.toml:3: key 'workload.bursts': value 1000; expected so few that the last one comes within "
      "100 years"},
     {"[workload]\nkind = 'trace'\nfile = 'x'\ntrace.from = '3s'\ntrace.to = '2s'",
      "f.toml:5: key 'workload.trace.to': value \"2s\"; expected a time after "
      "workload.trace.from, \"3s\", or \"0s\""},
     {"[[groups]]\nname = 'a'\n[groups.workload]\nkind = 'trace'",
      "f.toml:4: key 'workload.file': value \"\" (the default); expected the path of a trace, as "
      "in --set workload.file=jobs.tr"}},
    "");
  CHECK(refusal(one_phase + "[[groups]]\nname = 'a'\n[[groups.workload.phases]]\nlength = '1s'") ==
        "f.toml:5: key 'groups.0.workload.phases.0': value without rate and load; expected one of "
        "them");
}

TEST_CASE("distributions that contradict themselves are refused") {
  const std::string quantiles = "[workload.duration]\nkind = 'quantiles'\n";
  check_all(
    {{quantiles, "f.toml:2: key 'workload.duration.levels': value 0 numbers (the default); "
                 "expected two or more numbers that rise from 0 to 1"},
     {quantiles + "levels = [0, 0.5, 0.5, 1]",
      "f.toml:3: key 'workload.duration.levels': value 4 numbers; expected two or more numbers "
      "that rise from 0 to 1"},
     {quantiles + "levels = [0.1, 1]",
      "f.toml:3: key 'workload.duration.levels': value 2 numbers; expected two or more numbers "
      "that rise from 0 to 1"},
     {quantiles + "levels = [0, 1]\nvalues = [1]",
      "f.toml:4: key 'workload.duration.values': value 1 numbers; expected 2 numbers, one for each "
      "level"},
     {quantiles + "levels = [0, 1]\nvalues = [2, 1]",
      "f.toml:4: key 'workload.duration.values': value a list that falls; expected numbers that "
      "never fall"},
     {"[workload.tasks_per_job]\nmin = 5\nmax = 4",
      "f.toml:2: key 'workload.tasks_per_job.min': value 5; expected at most "
      "workload.tasks_per_job.max, 4"},
     {"[workload.duration]\nvalue = 0",
      "f.toml:2: key 'workload.duration.value': value 0; expected a number, more than 0, at most "
      "1000000000"}},
    one_phase);
}

TEST_CASE("tasks that fit on no machine are refused") {
  check_all(
    {{"[workload]\nslots = 3", "f.toml:1: key 'workload': value cpu 0, memory 0, gpu 0, slots 3; "
                               "expected what some machine has room for"},
     {"[[cluster.classes]]\ncpu = 8", "f.toml:3: key 'workload': value cpu 0, memory 0, gpu 0, "
                                      "slots 1; expected what some machine has room for"},
     {"[workload]\nrequests = [{ slots = 1 },\n{ cpu = 1 }]",
      "f.toml:3: key 'workload.requests.1': value cpu 1, memory 0, gpu 0, slots 0; expected what "
      "some machine has room for"}},
    one_phase);
}

TEST_CASE("the first problem in the file is reported") {
  CHECK(refusal("[sync]\ngap = 1\n[cluster]\nmachines = 0\n") ==
        "f.toml:2: key 'sync.gap': value 1; expected a duration with its unit: write \"1s\"");
  CHECK(refusal("[cluster]\nzzzzzzzzzz = 0\nmachines = 0\n")
          .starts_with("f.toml:2: key 'cluster.zzzzzzzzzz' is unknown; expected machines, slots"));
}

TEST_CASE("constraints that no machine with room meets are refused") {
  const std::string classes = "[[cluster.classes]]\nname = 'a'\nslots = 4\nattributes = { disk = "
                              "'ssd' }\n[[cluster.classes]]\nname = 'b'\nslots = 8\n[workload]\n";
  check_all(
    {{classes + "constraints = ['disk == tape']",
      "f.toml:8: key 'workload': value cpu 0, memory 0, gpu 0, slots 1, disk == tape; expected "
      "what some machine has room for and meets"},
     {classes + "slots = 5\nconstraints = ['disk == ssd']",
      "f.toml:8: key 'workload': value cpu 0, memory 0, gpu 0, slots 5, disk == ssd; expected what "
      "some machine has room for and meets"},
     {classes + "constraints = ['disk == ssd']\nrequests = [{ slots = 1 },\n{ slots = 1, "
                "constraints = ['disk == hdd'] }]",
      "f.toml:11: key 'workload.requests.1': value cpu 0, memory 0, gpu 0, slots 1, disk == hdd, "
      "disk == ssd; expected what some machine has room for and meets"},
     {classes + "requests = [{ slots = 1, constraints = ['disk'] }]",
      "f.toml:9: key 'workload.requests.0.constraints.0': value \"disk\"; expected a constraint "
      "like disk == ssd, zone != b, gpu in A100,V100, cores > 16 or cores < 64; \"disk\" has none "
      "of ==, !=, in, > and <"},
     {classes + "slots = 4\nconstraints = ['disk == ssd']", "accepted"}},
    one_phase);
}

TEST_CASE("task classes that contradict the rest are refused") {
  const std::string ssd = "[[cluster.classes]]\nslots = 4\nattributes = { disk = 'ssd' }\n";
  check_all(
    {{"[workload]\ntask_class = 'fast'",
      "f.toml:2: key 'workload.task_class': value \"fast\"; expected the name of one of the task "
      "classes"},
     {ssd + "[[task_classes]]\nname = 'a'\nprefers = { 'disk == ssd' = 'much' }",
      "f.toml:6: key 'task_classes.0.prefers.disk == ssd': value \"much\"; expected a number, -20 "
      ".. 20"},
     {ssd + "[[task_classes]]\nname = 'a'\nprefers = { 'disk == ssd' = 21 }",
      "f.toml:6: key 'task_classes.0.prefers.disk == ssd': value 21; expected a number, -20 .. 20"},
     {ssd + "[[task_classes]]\nname = 'a'\nprefers = 3",
      "f.toml:6: key 'task_classes.0.prefers': value 3; expected a table, as in { \"disk == ssd\" "
      "= "
      "0.7 }"},
     {ssd + "[[task_classes]]\nname = 'a'\nprefers = { 'gpu == A100' = 1 }",
      "f.toml:6: key 'task_classes.0.prefers': value \"gpu == A100\"; expected an attribute that "
      "some machine class has"},
     {ssd + "[[task_classes]]\nname = 'a'\n[[task_classes]]\nname = 'a'",
      "f.toml:7: key 'task_classes.1.name': value \"a\"; expected a name that no other task class "
      "has"},
     {ssd + "[[task_classes]]\nname = 'a'\nprefers = { 'disk = ssd' = 1 }",
      "f.toml:6: key 'task_classes.0.prefers': value \"disk = ssd\"; expected a constraint like "
      "disk "
      "== ssd, zone != b, gpu in A100,V100, cores > 16 or cores < 64; \"disk = ssd\" has none of "
      "==, !=, in, > and <"}},
    one_phase);
}

TEST_CASE("what the machines of a trace have is not known to the settings") {
  const std::string traced = "[cluster.trace]\nfile = \"m.rec\"\n" + one_phase;
  const std::string preferring = "[[task_classes]]\nname = 'a'\nprefers = ";
  CHECK(refusal(traced + preferring + "{ 'gpu == A100' = 1 }") == "accepted");
  CHECK(refusal(traced + preferring + "{ 'gpu = A100' = 1 }").find("expected a constraint like") !=
        std::string::npos);
}

TEST_CASE("what happens too often is refused with the least that makes sense") {
  CHECK(refusal("[sync]\ngap = \"1ns\"\n" + one_phase) ==
        "f.toml:2: key 'sync.gap': value \"1ns\"; expected a duration, at least 100us");
  for (const char* set : {"scheduler.commit_timeout=1ns", "executor.tick=1ns", "workload.tick=1ns",
                          "interval=1ns", "offers.interval=1ns", "failures.heartbeat=1ns"}) {
    CAPTURE(set);
    CHECK(refusal(one_phase, {set}).find("expected a duration, at least ") != std::string::npos);
  }
  CHECK(parsed(one_phase, {"sync.gap=100us"}).sync.gap == std::chrono::microseconds{100});
}

TEST_CASE("a name is not longer than a folder's may be") {
  CHECK(refusal("name = \"" + std::string(5000, 'x') + "\"\n" + one_phase) ==
        "f.toml:1: key 'name': value of 5000 bytes; expected a name of at most 200");
}

TEST_CASE("the warm-up ends before the submissions do") {
  const std::string phase = "[[workload.phases]]\nlength = \"30s\"\nload = 0.5\n";
  CHECK(refusal("warmup = \"30s\"\n" + phase) ==
        "f.toml:1: key 'warmup': value \"30s\"; expected less than \"30s\", for which jobs are "
        "submitted");
  CHECK(refusal("duration = \"10s\"\nwarmup = \"10s\"\n" + phase).find("less than \"10s\"") !=
        std::string::npos);
  CHECK(refusal("warmup = \"29s\"\n" + phase) == "accepted");
}
