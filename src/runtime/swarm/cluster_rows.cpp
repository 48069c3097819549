#include "runtime/swarm/conditions.hpp"
#include "runtime/swarm/row_parts.hpp"
#include "runtime/swarm/swarm_trace.hpp"

namespace troupe {

std::vector<swarm_row> cluster_rows() {
  using namespace swarm_conditions;
  return {
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
  };
}

} // namespace troupe
