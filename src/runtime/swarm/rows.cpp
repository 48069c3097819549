#include "runtime/swarm/rows.hpp"

#include "policies/registry.hpp"
#include "runtime/swarm/swarm_trace.hpp"
#include "settings/schema/settings.hpp"
#include "settings/toml/duration_text.hpp"

#include <charconv>

namespace troupe {

bool swarm_picks::is(std::string_view key, std::string_view value) const {
  const auto found = values_.find(key);
  return found != values_.end() && found->second == value;
}

double swarm_picks::number(std::string_view key, double otherwise) const {
  const auto found = values_.find(key);
  return found == values_.end() ? otherwise : std::stod(found->second);
}

double swarm_picks::seconds(std::string_view key, double otherwise) const {
  const auto found = values_.find(key);
  return found == values_.end() ? otherwise : to_seconds(parse_duration(found->second));
}

namespace {

using p = const swarm_picks&;
using v = std::string_view;
double as_number(v text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

double as_seconds(v text) {
  return to_seconds(parse_duration(text));
}

constexpr auto always = swarm_row::how::always;
constexpr auto feature = swarm_row::how::feature;
constexpr auto by_group = swarm_row::how::by_group;

bool failing(p d) {
  return d.mode() == swarm_mode::failing;
}
bool calm(p d) {
  return d.mode() == swarm_mode::calm;
}
bool virtual_time(p d) {
  return d.mode() != swarm_mode::real;
}
bool real(p d) {
  return d.mode() == swarm_mode::real;
}
bool probes(p d) {
  return d.is("architecture", architecture_kind::sparrow) ||
         d.is("architecture", architecture_kind::hybrid);
}
constexpr auto fails_probing = [](p d) { return failing(d) && probes(d); };
bool hybrid(p d) {
  return d.is("architecture", architecture_kind::hybrid);
}
bool places(p d) {
  return !d.is("architecture", architecture_kind::sparrow);
}
bool only_places(p d) {
  return !probes(d);
}
bool offers(p d) {
  return d.is("architecture", architecture_kind::two_level);
}
bool exclusive(p d) {
  return d.is("architecture", architecture_kind::fixed_shares) ||
         d.is("architecture", architecture_kind::monolithic);
}
bool shared(p d) {
  return only_places(d) && !offers(d) && !exclusive(d);
}
bool no_groups(p d) {
  return !d.has("groups");
}
bool pooled(p d) {
  return d.has("pool") || d.is("architecture", architecture_kind::monolithic);
}
bool classes(p d) {
  return d.has("cluster.classes");
}
bool traced(p d) {
  return d.has("cluster.trace.file");
}
bool not_traced(p d) {
  return !traced(d);
}
bool described(p d) {
  return classes(d) || traced(d);
}
bool no_classes(p d) {
  return !described(d);
}
bool bursts(p d) {
  return d.is("workload.kind", workload_kind::burst);
}
bool late_binding(p d) {
  return probes(d) && (!d.has("sparrow.probing") || d.is("sparrow.probing", probing::late_binding));
}
bool may_spread(p d) {
  return !probes(d) || late_binding(d);
}
bool tenants(p d) {
  return d.has("tenants");
}
bool task_classes(p d) {
  return d.has("task_classes");
}
bool adaptive_ratio(p d) {
  return probes(d) && d.has("sparrow.adaptive_ratio");
}
bool retries_late(p d) {
  return d.has("scheduler.retry.delay") && places(d);
}
bool retries_are_bounded(p d) {
  return d.has("scheduler.retry.max_delay") && places(d);
}

bool within_machines(p d, v value) {
  return as_number(value) <= d.number("cluster.machines", 1);
}
bool within_partitions(p d, v value) {
  return as_number(value) <= d.number("cluster.partitions", 1);
}
bool schedulers_fit(p d, v value) {
  if (hybrid(d) && as_number(value) < 2)
    return false;
  return !d.is("architecture", architecture_kind::fixed_shares) ||
         as_number(value) <= d.number("cluster.partitions", 1);
}
bool timeout_fits(p d, v value) {
  const auto heartbeat = d.seconds("failures.heartbeat", 0.5);
  const auto way = d.seconds("network.latency", 0) + d.seconds("network.jitter", 0) +
                   d.seconds("network.machine_latency", 0);
  return as_seconds(value) > 2 * heartbeat + 4 * way;
}
bool machine_timeout_fits(p d, v value) {
  return as_seconds(value) >= 2 * d.seconds("failures.timeout", 1.5);
}
bool lease_fits(p d, v value) {
  return as_seconds(value) == 0 || as_seconds(value) >= d.seconds("failures.timeout", 1.5);
}
bool max_delay_fits(p d, v value) {
  return as_seconds(value) >= d.seconds("scheduler.retry.delay", 0);
}
bool hold_timeout_fits(p d, v value) {
  return as_seconds(value) >= 2 * d.seconds("scheduler.commit_timeout", 1);
}

/// Commits of plugins are of the modes each and together. Plugins take no offers, and keep no
/// records.
bool plugins_fit(p d) {
  return only_places(d) && !offers(d) && !d.has("workload.gang") && !d.has("scheduler.commit") &&
         !d.has("policy_changes") && !d.has("records");
}

bool queue_plugins_fit(p d) {
  return d.is("architecture", architecture_kind::sparrow) && !d.has("records");
}

} // namespace

std::span<const swarm_row> plugin_rows() {
  static const std::vector<swarm_row> rows = [] {
    swarm_row owners{"scheduler.actor", {"placing"}, always, plugins_fit};
    swarm_row queues{"scheduler.actor", {"sparrow"}, always, queue_plugins_fit};
    for (const auto* entry : registered(plugin_kind::scheduler_actor))
      if (!entry->built_in())
        (entry->probes ? queues : owners).choices.push_back(entry->name);
    std::vector<swarm_row> all{std::move(owners), std::move(queues)};
    std::erase_if(all, [](const swarm_row& row) { return row.choices.size() == 1; });
    return all;
  }();
  return rows;
}

std::span<const swarm_row> swarm_rows() {
  static const std::vector<swarm_row> rows = {
    // architecture and size
    {"architecture",
     {"parsync", "statesync", "two-level", "static", "monolithic", "sparrow", "hybrid"},
     always},
    {"cluster.machines", {"1", "2", "3", "4", "5", "8", "12", "20"}, always},
    {"cluster.partitions", {"1", "2", "3", "4", "6", "12"}, always, nullptr, within_machines},
    {"cluster.owners", {"1", "2", "3", "6", "12"}, always, nullptr, within_partitions},
    {"groups",
     {R"([{name="a",schedulers=1},{name="b",schedulers=1}])",
      R"([{name="a",schedulers=2},{name="b",schedulers=1,offers={weight=4}}])",
      R"([{name="a",schedulers=1},{name="b",schedulers=2},{name="c",schedulers=1}])"},
     feature,
     [](p d) { return !hybrid(d); }},
    {"schedulers", {"1", "2", "3", "5", "8"}, always, no_groups, schedulers_fit},
    {"pool", {"1", "2", "3"}, feature, [](p d) { return !hybrid(d); }},
    {"cluster.trace.file", {swarm_trace()}, feature, probes},
    {"cluster.trace.churn", {"false"}, feature, traced},
    {"cluster.classes",
     {R"([{name="a",share=1,cpu=8,memory=16,attributes={disk="ssd",cores="8"}},)"
      R"({name="b",share=2,cpu=2,memory=4,attributes={disk="hdd",cores="2"}}])",
      R"([{name="a",cpu=4,memory=8,gpu=2,slots=3,attributes={disk="ssd",cores="4"}},)"
      R"({name="b",share=3,cpu=2,memory=2,slots=2,attributes={disk="hdd",cores="2"}}])",
      R"([{name="a",slots=1,attributes={disk="ssd",cores="1"}},)"
      R"({name="b",slots=4,attributes={disk="hdd",cores="4"}}])"},
     feature,
     not_traced},
    {"cluster.slots", {"1", "2", "3", "5"}, always, no_classes},
    {"cluster.unit.cpu", {"0.25", "1", "2"}, feature, described},
    {"cluster.unit.memory", {"0.5", "4"}, feature, described},
    {"cluster.unit.gpu", {"0.5", "1"}, feature, classes},
    {"cluster.unit.slots", {"1", "2"}},
    {"cluster.score.distribution", {"constant", "lognormal"}},
    {"cluster.score.mu", {"-2", "3"}},
    {"cluster.score.sigma", {"0", "2"}},

    // network
    {"network.latency", {"0s", "500us", "10ms", "50ms"}},
    {"network.jitter", {"1ms", "5ms", "40ms"}},
    {"network.machine_latency", {"0s", "2ms", "30ms"}},
    {"network.loss", {"0.002", "0.02", "0.08"}},
    {"network.cuts",
     {R"([{from="2s",to="3s",a="scheduler.*",b="owner.*"}])",
      R"([{from="1s",to="6s",a="owner.0"}])",
      R"([{from="3s",to="3.4s"},{from="5s",to="7s",a="scheduler.0",b="*"}])"},
     feature,
     virtual_time},
    {"executor.tick", {"100us", "10ms", "300ms"}},

    // sync of views
    {"sync.plan", {"same", "full", "partitioned"}, feature, shared},
    {"sync.gap", {"20ms", "200ms", "1s", "4s"}},
    {"sync.groups", {"1", "2"}, feature, [](p d) { return only_places(d) && !offers(d); }},
    {"owner.report_interval", {"0s", "5ms", "400ms", "2s"}},
    {"owner.detection", {"coarse", "fine"}, feature, shared},
    {"offers.interval", {"30ms", "200ms", "2s"}, feature, offers},
    {"offers.filter", {"0s", "300ms", "5s"}, feature, offers},
    {"offers.timeout", {"100ms", "1s", "5s"}, feature, offers},
    {"offers.whole", {"true"}, feature, offers},
    {"offers.tasks", {"1", "3"}, feature, offers},

    // decisions of schedulers
    {"scheduler.policy",
     {"adaptive", "best-fit", "latency-first", "quality-first", "random-fit", "worst-fit"},
     by_group,
     places},
    {"policy.tau", {"1ms", "300ms", "5s"}, by_group, places},
    {"policy.ema_weight", {"0.01", "1"}, by_group, places},
    {"policy.scan", {"1", "3"}, by_group, places},
    {"policy_changes",
     {R"([{at="3s",to="latency-first"}])",
      R"([{at="2s",to="best-fit"},{at="4s",to="quality-first",policy={tau="10ms"}}])",
      R"([{at="1s",group="b",to="worst-fit"},{at="5s",group="b",to="adaptive"}])"},
     feature,
     only_places,
     [](p d, v value) {
       return value.find("group=") == v::npos || (d.has("groups") && !pooled(d));
     }},
    {"scheduler.t_job", {"1us", "5ms", "200ms"}, by_group},
    {"scheduler.t_task", {"1us", "100us", "10ms", "50ms"}, by_group},
    {"scheduler.batch", {"1", "2", "4", "100"}, by_group},
    {"scheduler.max_attempts", {"1", "2", "6"}, by_group},
    {"scheduler.max_empty_attempts", {"1", "3"}, by_group},
    {"scheduler.commit_timeout", {"60ms", "300ms", "3s"}},
    {"scheduler.own_share",
     {"soft", "hard"},
     feature,
     shared,
     [](p d, v value) {
       return value != name_of(sharing::hard) ||
              d.number("schedulers", 4) <= d.number("cluster.partitions", 1);
     }},
    {"scheduler.code_paths", {"multi"}, feature, pooled},
    {"scheduler.look_past", {"1", "3", "50"}, by_group},
    {"scheduler.commit", {"all-or-nothing"}, by_group, only_places},
    {"scheduler.candidates", {"2", "5", "100"}, by_group, places},
    {"scheduler.keep_away", {"20ms", "500ms", "5s"}, by_group, places},
    {"scheduler.retry.at", {"back"}, by_group, places},
    {"scheduler.retry.delay", {"1ms", "100ms", "1s"}, feature, places},
    {"scheduler.retry.max_delay", {"2ms", "300ms", "2s"}, feature, retries_late, max_delay_fits},
    {"scheduler.retry.factor", {"1.3", "2", "10"}, feature, retries_are_bounded},
    {"scheduler.retry.jitter", {"0.5", "1"}, feature, retries_late},
    {"scheduler.retry.wait_for_refresh", {"true"}, by_group, places},
    {"scheduler.aging", {"100ms", "2s"}, by_group, places},
    {"scheduler.preemption", {"true"}, by_group, [](p d) { return places(d) && !offers(d); }},

    // schedulers that probe
    {"sparrow.probing", {"random", "per-task", "batch", "late-binding"}, feature, probes},
    {"sparrow.cancellation", {"false"}, feature, late_binding},
    {"sparrow.ratio", {"1", "1.3", "3", "8"}, feature, probes},
    {"sparrow.adaptive_ratio", {"true"}, feature, probes},
    {"sparrow.ratio_min", {"1", "2"}, feature, adaptive_ratio},
    {"sparrow.ratio_max", {"2", "6"}, feature, adaptive_ratio},
    {"sparrow.queue", {"priority", "fair"}, feature, probes},
    {"sparrow.watch_machines", {"true"}, feature, probes},
    {"sparrow.session_calls", {"1", "2", "5"}, feature, fails_probing},
    {"hybrid.cutoff", {"100ms", "1s"}, feature, hybrid},
    {"hybrid.long_schedulers", {"1"}, feature, hybrid},
    {"hybrid.reserved", {"0", "0.5"}, feature, hybrid},
    {"hybrid.steal_attempts", {"0", "2", "50"}, feature, hybrid},

    // demands of tasks
    {"tenants",
     {R"([{name="x"},{name="y",weight=3}])", R"([{name="x",min=0.5},{name="y",max=0.5}])",
      R"([{name="x",weight=0.1,max=0.7},{name="y",min=0.2,max=0.9},{name="z"}])"}},
    {"task_classes",
     {R"([{name="c",prefers={"disk == ssd"=2}}])",
      R"([{name="d",prefers={"disk != ssd"=1,"cores > 3"=-3}},{name="c",prefers={"cores < 4"=1}}])"},
     feature,
     classes},
    {"workload.kind", {"burst"}, by_group},
    {"workload.bursts", {"1", "4"}, feature, bursts},
    {"workload.burst_start", {"1s"}, feature, bursts},
    {"workload.burst_interval", {"100ms", "2s"}, always},
    {"workload.phases",
     {R"([{length="10s",rate=2}])", R"([{length="10s",rate=8}])", R"([{length="6s",rate=20}])",
      R"([{length="2s",rate=30},{length="3s",rate=0},{length="4s",rate=10}])",
      R"([{length="8s",load=0.004}])"},
     always,
     virtual_time},
    {"workload.phases",
     {R"([{length="700ms",rate=40}])", R"([{length="300ms",rate=200},{length="300ms",rate=20}])"},
     always,
     real},
    {"workload.arrivals", {"poisson", "constant"}, by_group},
    {"workload.tasks_per_job",
     {"{value=1}", "{value=3}", "{value=6}", R"({kind="exponential",value=3,max=10})",
      R"({kind="quantiles",levels=[0,0.5,1],values=[1,2,9],min=1})",
      R"({kind="lognormal",mu=0.5,sigma=1,max=12})"},
     by_group},
    {"workload.duration",
     {"{value=0.05}", "{value=1}", "{value=4}", R"({kind="exponential",value=1.5,max=8})",
      R"({kind="lognormal",mu=-1,sigma=1.5,max=6})",
      R"({kind="quantiles",levels=[0,0.9,1],values=[0,0.5,7],min=0.01})"},
     by_group,
     virtual_time},
    {"workload.duration",
     {"{value=0.001}", "{value=0.1}", R"({kind="exponential",value=0.05,max=0.3})"},
     by_group,
     real},
    {"workload.duration_per_job", {"true"}, by_group},
    {"workload.cpu", {"0.5", "1", "2", "3"}, always, traced},
    {"workload.cpu", {"0.1", "0.5", "2"}, by_group, classes},
    {"workload.memory", {"0.25", "3"}, by_group, classes},
    {"workload.gpu", {"0.5", "1"}, by_group, classes},
    {"workload.slots", {"1", "2"}, by_group},
    {"workload.requests",
     {R"([{cpu=1,memory=1},{weight=3,cpu=2,memory=0.5}])",
      R"([{cpu=0.1},{cpu=8,memory=10,constraints=["disk == ssd"]}])",
      R"([{slots=1},{slots=2,gpu=1}])", R"([{slots=1},{slots=4}])"},
     by_group},
    {"workload.tenant", {"x", "y"}, by_group, tenants},
    {"workload.priority", {"-1000", "-3", "1", "5"}, by_group},
    {"workload.gang", {"true"}, by_group, only_places},
    {"workload.stages", {"2", "3", "10"}, by_group},
    {"workload.spread", {"true"}, by_group, may_spread},
    {"workload.constraints",
     {R"(["disk == ssd"])", R"(["disk != ssd"])", R"(["cores > 2","disk in ssd,hdd"])"},
     by_group,
     classes},
    {"workload.task_class", {"c"}, by_group, task_classes},
    {"scheduler.preferences", {"false"}, by_group, task_classes},
    {"workload.estimate_error", {"0.5", "1"}, by_group, hybrid},
    {"workload.tick", {"100us", "50ms", "700ms"}, by_group},
    {"owner.hold_timeout", {"700ms", "3s", "10s"}, feature, nullptr, hold_timeout_fits},

    // detection of failures, and failures
    {"failures.watch", {"on"}, feature, calm},
    {"failures.heartbeat", {"100ms", "300ms", "1s"}, feature, failing},
    {"failures.timeout", {"500ms", "1500ms", "4s"}, always, failing, timeout_fits},
    {"failures.machine_timeout", {"2s", "5s", "12s"}, always, failing, machine_timeout_fits},
    {"failures.owner_lease", {"0s", "2s", "5s", "30s"}, feature, failing, lease_fits},
    {"failures.retries", {"1", "3", "100"}, feature, failing},
    {"failures.standby_owners", {"0", "2"}, feature, failing},
    {"failures.standby_schedulers", {"0", "2"}, feature, failing},
    {"chaos.faults", {"1", "3", "6", "12", "25"}, always, failing},
    {"chaos.kinds",
     {R"(["machine"])", R"(["owner"])", R"(["scheduler"])", R"(["master"])", R"(["cut"])",
      R"(["loss"])", R"(["delay"])", R"(["drain"])", R"(["allocator"])", R"(["machine","owner"])",
      R"(["drain","machine","scheduler"])", R"(["owner","scheduler"])",
      R"(["scheduler","machine","cut"])", R"(["owner","loss","delay"])",
      R"(["machine","owner","scheduler","master","allocator","cut","loss","delay","drain"])"},
     feature,
     failing,
     [](p d, v value) {
       return (offers(d) || value.find("allocator") == v::npos) &&
              (places(d) || value.find("owner") == v::npos);
     }},
    {"chaos.window", {"3s", "10s", "20s"}, feature, failing},
    {"chaos.longest", {"300ms", "4s", "12s"}, feature, failing},
    // what is recorded; the last row, so that it does not change what others draw
    {"records", {"jobs", "tasks"}, feature},
  };
  return rows;
}

} // namespace troupe
