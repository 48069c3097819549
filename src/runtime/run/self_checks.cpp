#include "runtime/run/self_checks.hpp"

#include "report/text/text.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/faults/fault_plan.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// The tolerated delay of a timer and a message in real time.
constexpr duration real_time_slack = std::chrono::milliseconds{500};

std::string count(std::uint64_t n, const char* what) {
  return std::to_string(n) + " " + what;
}

self_check balance(const run_record& r) {
  const auto& t = r.totals.tasks;
  const auto over = t.finished + t.failed + t.lost + t.abandoned;
  auto detail = count(t.submitted, "submitted = ") + count(t.queued, "queued + ") +
                count(t.in_commit, "in commit + ") + count(t.running, "running + ") +
                count(over, "over");
  const auto& b = r.balance;
  if (b.on_the_way > 0)
    detail += "; " + count(b.on_the_way, "of them on the way between job stores and schedulers");
  if (b.unheard > 0)
    detail += "; " + count(b.unheard, "queued or running at schedulers that do not answer");
  if (!b.wrong.empty())
    detail += "; " + b.wrong;
  bool runs_agree = true;
  if (r.runs) {
    detail += "; " + to_string(*r.runs);
    runs_agree = r.runs->wrong.empty();
  }
  return {"tasks balance",
          t.balanced() && t.submitted == r.workload_tasks + r.totals.molded && b.wrong.empty() &&
            runs_agree,
          std::move(detail)};
}

self_check capacity(const run_record& r) {
  const auto wrong = r.owners.over_capacity + r.nodes.over_capacity;
  return {"no machine over capacity", wrong == 0,
          count(std::max(r.owners.machines, r.nodes.queues.machines), "machines checked, ") +
            count(wrong, "over capacity")};
}

/// Returns whether owners and schedulers have counted the same placements. A granted placement is
/// placed, or its answer is in transit. In real time owners are asked last and may have granted
/// more since, unless no task is left to place.
bool grants_agree(const run_record& r, std::uint64_t placed, bool real) {
  const auto granted = r.owners.accepted;
  const auto& t = r.totals.tasks;
  const bool more_to_come = real && t.queued + t.in_commit > 0;
  return placed <= granted && (more_to_come || granted <= placed + t.in_commit);
}

/// The counts of a replaced member since the last sample are lost, so sums can only be compared if
/// no member was replaced.
self_check granted_once_by_all(const run_record& r, bool real) {
  const auto all = r.sums.over_run().sample;
  const auto twice = all.duplicate_grants;
  const bool comparable = !r.replaced && r.complete;
  const bool agree =
    !comparable || grants_agree(r, r.totals.tasks.placed - all.sparrow.started, real);
  return {"no placement granted twice", twice == 0 && r.owners.unknown_ends == 0 && agree,
          count(r.owners.accepted, "granted, ") + count(r.totals.tasks.placed, "placed, ") +
            count(twice, "twice, ") +
            count(r.owners.unknown_ends, "ends of tasks that did not run") +
            (comparable ? ""
                        : "; not compared: a scheduler or an owner was replaced, is silent or "
                          "answered late")};
}

self_check granted_once(const run_record& r, bool real) {
  const auto& t = r.totals.tasks;
  const auto all = r.sums.over_run().sample;
  const auto twice = all.duplicate_grants;
  const auto& direct = all.sparrow; // without owners
  const auto placed = t.placed - direct.started;
  const auto launched = r.nodes.launched - r.nodes.queues.launched;
  const bool agree = grants_agree(r, placed, real) && launched <= r.owners.accepted &&
                     r.owners.unknown_ends == 0 && direct.started <= r.nodes.queues.launched &&
                     (real || r.nodes.queues.launched <= direct.launched);
  return {"no placement granted twice", agree && twice == 0,
          count(r.owners.accepted + direct.launched, "granted, ") + count(t.placed, "placed, ") +
            count(r.nodes.launched, "launched, ") + count(twice, "twice")};
}

self_check constraints_met(const run_record& r) {
  const auto wrong = r.sums.over_run().sample.constraint_violations;
  return {"constraints met", wrong == 0,
          count(r.totals.tasks.placed, "placed, ") + count(wrong, "in violation")};
}

/// Returns whether a scheduler's commit that preempts a task may arrive before the commit that
/// places this task, which is then refused.
bool may_overtake(const run_settings& settings) {
  const auto& n = settings.network;
  const bool in_order = n.loss == 0 && n.jitter == duration::zero() && n.cuts.empty();
  return !in_order && ranking_of(settings).preemption;
}

/// If no other scheduler may place tasks there, only the absence of a machine can cause a refusal.
self_check nothing_refused(const run_record& r) {
  std::uint64_t refused = 0;
  const auto by_cause = r.sums.over_run().sample.conflicts_by_cause;
  for (std::size_t cause = 0; cause < conflict_causes; ++cause)
    if (static_cast<conflict_cause>(cause) != conflict_cause::gone)
      refused += by_cause[cause];
  return {"nothing refused under exclusive access", refused == 0, count(refused, "refused")};
}

self_check staleness(const run_record& r, const run_settings& settings, bool real) {
  // A round passes the master, an owner and a scheduler; a busy host may delay each of them.
  const auto bound = staleness_bound(settings, real) + 3 * r.host_delay;
  const auto oldest = r.sums.over_run().sample.oldest_partition;
  return {"staleness within its bound", oldest <= bound,
          "oldest view " + seconds_text(to_seconds(oldest)) + ", bound " +
            seconds_text(to_seconds(bound))};
}

} // namespace

duration staleness_bound(const run_settings& settings, bool real) {
  const auto& n = settings.network;
  // The round's order travels to the owner, then its snapshot to the scheduler.
  auto bound = settings.sync.gap + 2 * (n.latency + n.jitter);
  if (real)
    bound += real_time_slack;
  return bound;
}

std::vector<self_check> check_invariants(const run_record& record, const run_settings& settings) {
  const bool real = settings.clock == clock_kind::real_time;
  if (watches_failures(settings))
    return {balance(record), capacity(record), granted_once_by_all(record, real),
            constraints_met(record)};
  std::vector<self_check> checks{balance(record), capacity(record), granted_once(record, real),
                                 constraints_met(record)};
  const bool loses = settings.network.loss > 0 || !settings.network.cuts.empty();
  const bool alone =
    settings.sync.plan == sync_plan_kind::exclusive || settings.sync.plan == sync_plan_kind::offers;
  if (alone && !may_overtake(settings))
    checks.push_back(nothing_refused(record));
  if (plan_of(settings).any() && !loses)
    checks.push_back(staleness(record, settings, real));
  return checks;
}

} // namespace troupe
