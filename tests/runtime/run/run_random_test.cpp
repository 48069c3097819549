#include "model/base/random.hpp"
#include "policies/registry.hpp"
#include "runtime/running.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// Makes small clusters of every sort, one for each seed: with any sync plan, or of an
/// architecture.
class maker {
public:
  explicit maker(std::uint64_t seed, std::string architecture = {})
    : random_(random_stream::derive(seed, "maker", 0)),
      ranks_(random_stream::derive(seed, "maker", 1)),
      architecture_(std::move(architecture)) {}

  std::string make() {
    tenants_ = ranks_.below(2) == 0;
    if (tenants_)
      text("tenants = [{ name = \"t0\", weight = 2 }, { name = \"t1\", min = 0.3, max = 0.8 }]");
    const auto groups = 1 + random_.below(3);
    std::vector<std::uint64_t> sizes;
    std::uint64_t schedulers = 0;
    for (std::uint64_t g = 0; g < groups; ++g)
      schedulers += sizes.emplace_back((architecture_ == "hybrid" ? 2 : 1) + random_.below(4));
    const auto own = architecture_ == "static" ? schedulers - 1 : 0; // a partition for each
    const auto partitions = 1 + own + random_.below(11);
    text("schedulers = " + std::to_string(schedulers));
    const auto interval = pick({"1s", "700ms", "330ms"});
    const bool synced = architecture_.empty() ? random_.below(5) > 0 : !probes();
    text("interval = \"" + (synced || probes() ? interval : "1h") + "\""); // past the end
    // Without sync rounds nobody learns of ends that others wait for, and where a scheduler is kept
    // to a share of the machines, that may have no room for its tasks.
    const bool ends = synced && architecture_ != "static";
    text("duration = \"" + (ends ? pick({"0s", "0s", "5s", "3333ms"}) : "5s") + "\"");
    if (!architecture_.empty())
      text("architecture = \"" + architecture_ + "\"");
    cluster(partitions);
    text("[sync]");
    if (architecture_.empty())
      text("plan = \"" + (synced ? pick({"partitioned", "partitioned", "full", "same"}) : "full") +
           "\"");
    text("gap = \"" + pick({"1s", "300ms", "3s"}) + "\"");
    if (random_.below(2) == 0)
      text("groups = " + std::to_string(1 + random_.below(schedulers)));
    network();
    const auto detection = pick({"fine", "coarse"});
    text("[owner]\ndetection = \"" + (optimistic() ? detection : "fine") + "\"");
    text("report_interval = \"" + pick({"100ms", "1ms", "250ms"}) + "\"");
    text("[executor]\ntick = \"" + pick({"1ms", "10ms", "333us"}) + "\"");
    preempts_ = synced && architecture_ != "two-level" && ranks_.below(2) == 0;
    for (auto size : sizes)
      group(size);
    return text_;
  }

private:
  bool optimistic() const {
    return architecture_.empty() || architecture_ == "parsync" || architecture_ == "statesync";
  }

  bool probes() const { return architecture_ == "sparrow" || architecture_ == "hybrid"; }

  void text(const std::string& line) { text_ += line + "\n"; }

  std::string pick(std::initializer_list<const char*> of) {
    return of.begin()[random_.below(of.size())];
  }

  void cluster(std::uint64_t partitions) {
    text("[cluster]\nmachines = " + std::to_string(30 + partitions + random_.below(40)));
    text("partitions = " + std::to_string(partitions));
    text("owners = " + std::to_string(1 + random_.below(partitions)));
    rich_ = random_.below(2) == 0;
    if (rich_)
      text("classes = [{ name = \"a\", share = 2, cpu = 4, memory = 8 }, "
           "{ name = \"b\", cpu = 16, memory = 24, gpu = 1 }]");
    else
      text("slots = " + std::to_string(1 + random_.below(4)));
  }

  void network() {
    text("[network]\nlatency = \"" + pick({"0s", "500us", "20ms"}) + "\"");
    text("jitter = \"" + pick({"0s", "3ms"}) + "\"");
    text("machine_latency = \"" + pick({"0s", "0s", "2ms"}) + "\"");
    if (probes()) // which sends nothing twice
      return;
    text("loss = " + pick({"0", "0", "0.05", "0.2"}));
    if (random_.below(3) == 0)
      text("cuts = [{ from = \"900ms\", to = \"" + pick({"1s", "2100ms"}) + "\", a = \"" +
           pick({"scheduler.*", "scheduler.0", "master"}) + "\", b = \"" +
           pick({"*", "owner.0", "owner.*"}) + "\" }]");
  }

  void group(std::uint64_t schedulers) {
    text("[[groups]]\nname = \"g" + std::to_string(text_.size()) + "\"");
    text("schedulers = " + std::to_string(schedulers));
    text("[groups.scheduler]\npolicy = \"" +
         pick({"quality-first", "latency-first", "adaptive", "random-fit"}) + "\"");
    text("t_task = \"" + pick({"500us", "5ms"}) + "\"");
    text("t_job = \"" + pick({"0s", "2ms", "20ms"}) + "\"");
    text("batch = " + pick({"1", "3", "10", "100"}));
    text("max_attempts = " + pick({"0", "0", "2"}));
    text("commit_timeout = \"" + pick({"2s", "300ms"}) + "\"");
    if (preempts_ && ranks_.below(3) > 0)
      text("preemption = true");
    if (ranks_.below(4) == 0)
      text("aging = \"500ms\"");
    text("[groups.policy]\ntau = \"50ms\"");
    text("[groups.workload]\narrivals = \"" + pick({"constant", "poisson"}) + "\"");
    const std::uint64_t more = preempts_ ? 6 : 1; // nobody gives way where there is room
    text("phases = [{ length = \"1s\", rate = " + std::to_string(more * (10 + random_.below(60))) +
         " }, { length = \"1500ms\", rate = " + std::to_string(more * random_.below(60)) + " }]");
    if (rich_)
      text("requests = [{ weight = 3, cpu = 1, memory = 1.5 }, { cpu = 3.5, memory = 0.5 }, "
           "{ weight = 0.3, cpu = 2, memory = 9, gpu = 0.5 }]");
    text("priority = " + std::to_string(ranks_.below(3)));
    if (!architecture_.empty() && !probes() && ranks_.below(3) == 0)
      text("gang = true");
    if (tenants_)
      text("tenant = \"t" + std::to_string(ranks_.below(2)) + "\"");
    text("[groups.workload.duration]\nkind = \"exponential\"");
    text("value = " + pick({"0.3", "1", "2"}));
    text("[groups.workload.tasks_per_job]\nvalue = " + pick({"1", "4"}));
  }

  random_stream random_;
  random_stream ranks_; ///< who goes first
  std::string architecture_;
  std::string text_;
  bool tenants_ = false;
  bool preempts_ = false;
  bool rich_ = false;
};

/// What happened in several runs.
struct sums {
  std::uint64_t conflicts = 0;
  std::uint64_t retransmits = 0;
  std::uint64_t preempted = 0;
  std::uint64_t finished = 0;
};

/// Runs a cluster, checks it, and adds up what happened.
void run_one(const std::string& toml, std::uint64_t seed, sums& total) {
  CAPTURE(toml);
  watcher monitor;
  monitor.stop = [](const watcher& w) {
    return !w.seen.empty() && w.seen.back().now > std::chrono::minutes{2};
  };
  run_results results;
  const std::vector<std::string> overrides{"seed=" + std::to_string(seed)};
  REQUIRE_NOTHROW(results = run(parse_settings(toml, "test.toml", overrides), monitor));
  CHECK_FALSE(results.interrupted);
  check_passed(results);
  task_counts sum;
  for (const auto& i : results.series) {
    CHECK(i.sample.tasks.running <= 100'000);
    sum.submitted += i.sample.tasks.submitted;
    sum.finished += i.sample.tasks.finished;
    sum.abandoned += i.sample.tasks.abandoned;
    sum.lost += i.sample.tasks.lost;
    total.conflicts += i.sample.conflicts;
    total.retransmits += i.sample.retransmits;
    total.preempted += i.sample.preempted.tasks;
  }
  total.finished += sum.finished;
  CHECK(sum.submitted > 0);
  CHECK(sum.lost == 0);
  if (toml.find("duration = \"0s\"") != std::string::npos)
    CHECK(sum.finished + sum.abandoned == sum.submitted);
}

} // namespace

TEST_CASE("the invariants hold in clusters of every sort") {
  sums total;
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    run_one(maker{seed}.make(), seed, total);
  CHECK(total.conflicts > 100);
  CHECK(total.retransmits > 100);
  CHECK(total.preempted > 100);
}

TEST_CASE("the invariants hold in clusters of every sort under every architecture") {
  for (const std::string architecture :
       {"parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"}) {
    sums total;
    for (std::uint64_t seed = 101; seed <= 108; ++seed)
      run_one(maker{seed, architecture}.make(), seed, total);
    CAPTURE(architecture);
    if (architecture == "parsync" || architecture == "statesync")
      CHECK(total.conflicts > 10);
    else if (architecture != "hybrid")
      CHECK(total.conflicts == 0);
    CHECK(total.finished > 500);
  }
}

TEST_CASE("a network that loses messages and is cut loses no task and runs none twice") {
  constexpr auto lossy = R"(
schedulers = 6
[cluster]
machines = 80
partitions = 10
owners = 4
[network]
latency = "2ms"
jitter = "1ms"
loss = 0.05
cuts = [{ from = "1s", to = "4s", a = "scheduler.*", b = "owner.1" },
        { from = "2s", to = "3s", a = "scheduler.0" }]
[scheduler]
commit_timeout = "500ms"
[workload]
phases = [{ length = "5s", rate = 100 }]
[workload.duration]
kind = "exponential"
value = 0.8
)";
  for (const auto* seed : {"seed=1", "seed=2", "seed=3"}) {
    CAPTURE(seed);
    const auto results = run_text(lossy, {seed});
    check_passed(results);
    const auto tasks = summary_of(results)["tasks"];
    CHECK(tasks["submitted"] == 500);
    CHECK(tasks["placed"] == 500);
    CHECK(tasks["finished"] == 500);
    std::uint64_t retransmits = 0;
    for (const auto& i : results.series)
      retransmits += i.sample.retransmits;
    CHECK(retransmits > 20);
  }
}
