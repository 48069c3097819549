#include "model/base/random.hpp"
#include "runtime/running.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// Two groups that differ in all that they may, and an architecture for each seed to run under.
constexpr auto crowded = R"(
name = "crowded"
interval = "500ms"
[cluster]
partitions = 12
owners = 3
machines = 40
classes = [{ name = "a", share = 2, cpu = 4, memory = 8 }, { name = "b", cpu = 16, memory = 24 }]
[network]
jitter = "3ms"
[scheduler]
batch = 3
commit_timeout = "300ms"
[workload]
arrivals = "poisson"
phases = [{ length = "5s", rate = 40 }]
duration = { kind = "exponential", value = 1 }
[[groups]]
name = "small"
schedulers = 3
workload = { cpu = 1, memory = 0.5, tasks_per_job = { value = 4 } }
[[groups]]
name = "large"
schedulers = 1
scheduler = { t_job = "200ms", policy = "random-fit" }
workload = { cpu = 3.5, memory = 4, phases = [{ length = "5s", rate = 4 }] }
)";

const std::vector<std::string> exclusive{"static", "monolithic", "two-level"};

std::uint64_t sum(const run_results& results, std::uint64_t task_counts::*count) {
  std::uint64_t n = 0;
  for (const auto& i : results.series)
    n += i.sample.tasks.*count;
  return n;
}

} // namespace

TEST_CASE("every exclusive architecture runs one workload to its end without a conflict") {
  for (const auto& architecture : exclusive)
    for (const std::string loss : {"0", "0.2"}) {
      CAPTURE(architecture);
      CAPTURE(loss);
      const auto r = run_text(crowded, {"architecture=" + architecture, "network.loss=" + loss});
      check_passed(r);
      CHECK(sum(r, &task_counts::finished) == sum(r, &task_counts::submitted));
      CHECK(sum(r, &task_counts::submitted) > 150);
      for (const auto& i : r.series)
        CHECK(i.sample.conflicts == 0);
      CHECK(std::ranges::any_of(r.checks, [](const self_check& c) {
        return c.name == "nothing refused under exclusive access";
      }));
    }
}

TEST_CASE("whatever the architecture, the work is the same") {
  std::vector<std::uint64_t> tasks;
  for (const std::string architecture :
       {"parsync", "statesync", "static", "monolithic", "two-level"}) {
    const auto summary = summary_of(run_text(crowded, {"architecture=" + architecture}));
    tasks.push_back(summary["tasks"]["submitted"]);
    CHECK(summary["groups"][0]["tasks"]["submitted"].get<std::uint64_t>() > 150);
    CHECK(summary["groups"][1]["tasks"]["submitted"].get<std::uint64_t>() > 5);
  }
  CHECK(std::ranges::adjacent_find(tasks, std::not_equal_to{}) == tasks.end());
}

TEST_CASE("loads say the same work, too, whoever decides") {
  const std::string loads = "[cluster]\nmachines = 50\npartitions = 10\nowners = 2\n"
                            "[[workload.phases]]\nlength = \"2s\"\nload = 0.05\n";
  const auto four = summary_of(run_text("schedulers = 4\n" + loads));
  const auto one = summary_of(run_text("schedulers = 4\n" + loads, {"architecture=monolithic"}));
  CHECK(four["tasks"]["submitted"] == 800);
  CHECK(one["tasks"]["submitted"] == 800);
  CHECK(one["groups"][0]["schedulers"] == 1);
}

TEST_CASE("one code path costs every job what the slowest costs") {
  constexpr auto one_job_each = R"(
architecture = "monolithic"
cluster = { machines = 10, partitions = 1, owners = 1 }
workload = { kind = "burst", duration = { value = 1 } }
[scheduler]
t_task = "1ms"
[[groups]]
name = "fast"
schedulers = 1
[[groups]]
name = "slow"
schedulers = 1
scheduler = { t_job = "1s", t_task = "100ms" }
)";
  const auto busy = [](const nlohmann::ordered_json& summary, std::size_t group) {
    return summary["groups"][group]["busyness"].get<double>() *
           summary["simulated_seconds"].get<double>();
  };
  const auto multi = summary_of(run_text(one_job_each, {"scheduler.code_paths=multi"}));
  CHECK(busy(multi, 0) == doctest::Approx(0.001));
  CHECK(busy(multi, 1) == doctest::Approx(1.1));
  CHECK(multi["busyness"].get<double>() * multi["simulated_seconds"].get<double>() ==
        doctest::Approx(1.101));
  const auto single = summary_of(run_text(one_job_each));
  CHECK(busy(single, 0) == doctest::Approx(1.1));
  CHECK(busy(single, 1) == doctest::Approx(1.1));
}

TEST_CASE("the summary tells of offers where there are any") {
  const auto summary = summary_of(run_text(crowded, {"architecture=two-level"}));
  const auto& offers = summary["offers"];
  CHECK(offers["made"].get<int>() > 10);
  CHECK(offers["accepted"].get<int>() > 5);
  CHECK(offers["locked"]["mean"].get<double>() > 0);
  CHECK(offers["locked"]["max"].get<double>() <= 1);
  CHECK(offers["dominant_share"]["max"].get<double>() <= 1);
  CHECK(summary["groups"][1]["offers"]["made"].get<int>() > 0);
  CHECK_FALSE(summary_of(run_text(crowded)).contains("offers"));
  const auto watched =
    summary_of(run_text(crowded, {"architecture=two-level", "failures.watch=on"}))["offers"];
  CHECK(watched["made"].get<int>() > 10);
  CHECK(watched["locked"]["mean"].get<double>() > 0);
}

TEST_CASE("a run with offers that time out sends as many messages each second") {
  constexpr auto slow_answers = R"(
architecture = "two-level"
[cluster]
machines = 20
slots = 4
partitions = 2
owners = 2
[offers]
timeout = "500ms"
[workload]
arrivals = "poisson"
tasks_per_job = { value = 2 }
[[groups]]
name = "fast"
schedulers = 1
workload = { duration = { value = 1 }, phases = [{ length = "1000s", rate = 2 }] }
[[groups]]
name = "slow"
schedulers = 2
scheduler = { t_job = "2s" }
workload = { duration = { value = 1 }, phases = [{ length = "1000s", rate = 2 }] }
)";
  const auto half = run_text(slow_answers, {"duration=500s"}).messages;
  CHECK(run_text(slow_answers, {"duration=1000s"}).messages < half * 5 / 2);
}

TEST_CASE("an offer that times out is taken back in the middle of a decision") {
  const auto r =
    run_text(crowded, {"architecture=two-level", "offers.whole=true", "offers.timeout=150ms",
                       "offers.interval=100ms", "offers.filter=200ms", "duration=20s"});
  check_passed(r);
  CHECK(r.offers.timed_out > 0);
  CHECK(r.offers.rescinded > 0);
  CHECK(sum(r, &task_counts::finished) > 0);
}

TEST_CASE("decisions that take longer than offers last become shorter, and the run ends") {
  const auto r =
    run_text(crowded, {"architecture=two-level", "scheduler.t_task=20ms", "scheduler.batch=100",
                       "offers.interval=100ms", "offers.filter=200ms", "offers.timeout=250ms"});
  check_passed(r);
  CHECK(r.offers.timed_out > 0);
  CHECK(sum(r, &task_counts::finished) == sum(r, &task_counts::submitted));
}

TEST_CASE("framework members may place so many tasks of an offer") {
  const auto r = run_text(crowded, {"architecture=two-level", "offers.tasks=1",
                                    "offers.interval=10ms", "offers.filter=0s"});
  check_passed(r);
  CHECK(r.offers.accepted == sum(r, &task_counts::placed));
}

TEST_CASE("exclusive runs repeat to the byte") {
  for (const auto& architecture : exclusive) {
    const std::vector<std::string> overrides{"architecture=" + architecture};
    const auto first = run_text(crowded, overrides);
    const auto second = run_text(crowded, overrides);
    CHECK(summary_of(first) == summary_of(second));
    CHECK(timeseries_of(first) == timeseries_of(second));
  }
}

TEST_CASE("what a scheduler's own machines cannot hold is given up by name, and others go on") {
  // The machine with a card is in partition 0 of 4; in a hybrid the last one is reserved.
  constexpr auto one_card = R"(
duration = "20s"
schedulers = 4
[cluster]
machines = 8
partitions = 4
owners = 1
classes = [{ name = "cpu", share = 7, cpu = 8, memory = 32 },
           { name = "gpu", share = 1, cpu = 8, memory = 32, gpu = 4 }]
[scheduler]
policy = "best-fit"
t_task = "1ms"
[workload]
requests = [{ weight = 9, cpu = 1, memory = 2 }, { weight = 1, cpu = 1, memory = 2, gpu = 1 }]
duration = { value = 1 }
phases = [{ length = "15s", rate = 20 }]
)";
  const auto fixed = summary_of(run_text(one_card, {"architecture=static"}));
  const auto given_up = fixed["attempts"]["unplaceable"].get<int>();
  CHECK(given_up > 10);
  CHECK(fixed["tasks"]["abandoned"] == given_up);
  CHECK(fixed["tasks"]["finished"].get<int>() == 300 - given_up);
  const auto free = summary_of(run_text(one_card));
  CHECK(free["tasks"]["finished"] == 300);
  // Twelve machines put the card into the last partition; all jobs are long.
  const auto hawk = summary_of(
    run_text(one_card, {"architecture=hybrid", "cluster.machines=12", "cluster.classes.0.share=11",
                        "hybrid.reserved=0.25", "hybrid.cutoff=1ms", "schedulers=2"}));
  CHECK(hawk["attempts"]["unplaceable"].get<int>() > 10);
  CHECK(hawk["tasks"]["queued"] == 0);
}

TEST_CASE("machines with less than a unit free are used by every policy") {
  // A unit is 1 core with 4 GiB; large jobs leave 3 cores and 2 GiB on each machine.
  constexpr auto leftovers = R"(
duration = "15s"
schedulers = 2
[cluster]
machines = 10
partitions = 2
owners = 1
classes = [{ name = "m", cpu = 4, memory = 16 }]
[scheduler]
t_task = "1ms"
[[groups]]
name = "big"
schedulers = 1
workload = { cpu = 1, memory = 14, duration = { value = 100 }, phases = [{ length = "1s", rate = 10 }] }
[[groups]]
name = "small"
schedulers = 1
workload = { cpu = 1, memory = 1, duration = { value = 5 }, phases = [{ length = "3s", rate = 0.001 }, { length = "9s", rate = 3 }] }
)";
  for (const std::string policy : {"random-fit", "latency-first", "quality-first", "best-fit"}) {
    CAPTURE(policy);
    const auto s = summary_of(run_text(leftovers, {"scheduler.policy=" + policy}));
    CHECK(s["groups"][1]["tasks"]["submitted"] == 28);
    CHECK(s["groups"][1]["scheduling_delay_s"]["max"].get<double>() < 0.1);
  }
}

TEST_CASE("with decisions that take time for each job a transaction is one job") {
  // Two schedulers that crowd a cluster: jobs of 5 tasks, batches of 3.
  constexpr auto omega = R"(
architecture = "statesync"
duration = "300s"
[cluster]
machines = 20
slots = 4
partitions = 2
owners = 2
[scheduler]
policy = "random-fit"
t_job = "2s"
t_task = "10ms"
batch = 3
[workload]
tasks_per_job = { value = 5 }
duration = { kind = "exponential", value = 40 }
phases = [{ length = "300s", rate = 1.5 }]
[[groups]]
name = "a"
schedulers = 1
[[groups]]
name = "b"
schedulers = 1
)";
  const auto s = summary_of(run_text(omega));
  const auto& attempts = s["attempts"];
  CHECK(attempts["conflicted"].get<int>() > 10);
  const auto successful = attempts["transactions"].get<int>() - attempts["conflicted"].get<int>();
  CHECK(successful <= s["jobs"]["submitted"].get<int>());
}
