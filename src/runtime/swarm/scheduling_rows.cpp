#include "runtime/swarm/conditions.hpp"
#include "runtime/swarm/row_parts.hpp"
#include "settings/schema/settings.hpp"

namespace troupe {

std::vector<swarm_row> scheduling_rows() {
  using namespace swarm_conditions;
  return {
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
    {"offers.suppress", {"false"}, feature, offers},

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
    {"scheduler.discipline", {"fcfs", "easy", "conservative"}, feature, views},
    {"scheduler.order", {"shortest", "widest", "multifactor"}, feature, disciplined},
    {"scheduler.factors.age", {"0", "10"}, feature, multifactor},
    {"scheduler.factors.size", {"1", "10"}, feature, multifactor},
    {"scheduler.factors.share", {"0", "10"}, feature, multifactor},
    {"scheduler.factors.priority", {"0", "10"}, feature, multifactor},
    {"scheduler.factors.max_age", {"100ms", "5s"}, feature, multifactor},
    {"scheduler.look_past", {"1", "3", "50"}, by_group, [](p d) { return !disciplined(d); }},
    {"scheduler.own_ends", {"true"}, by_group, places},
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
    {"scheduler.preemption",
     {"true"},
     by_group,
     [](p d) { return places(d) && !offers(d) && !disciplined(d); }},

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
  };
}

} // namespace troupe
