#include "runtime/faults/member_audit.hpp"

#include "actors/queue/queueing_machine.hpp"
#include "runtime/cluster/state_of.hpp"

#include <caf/monitorable_actor.hpp>

#include <string>

namespace troupe {

const simulated_cluster::process* owner_or_scheduler(const simulated_cluster& cluster,
                                                     const caf::monitorable_actor& actor) {
  for (const auto& [who, all] : cluster.incarnations()) {
    if (who.first != role::owner && who.first != role::scheduler)
      continue;
    for (const auto& one : all)
      if (one.handle->id() == actor.id())
        return &one;
  }
  return nullptr;
}

void check_owner(const simulated_cluster::process& who, bool at_end, first_violation& to) {
  const auto* state = state_of<owner_actor, owner_state>(who);
  if (state == nullptr || !state->core)
    return;
  const auto name = "owner " + std::to_string(who.number);
  if (state->core->inconsistent() > 0)
    to.fail("the books of " + name +
            " are wrong: a machine is over capacity, or free and used resources do not add up");
  if (const auto n = state->core->counted().unknown_ends; n > 0)
    to.fail(name + " receives the end of a task that does not run");
  for (scheduler_id s = 0; at_end && s < state->config.schedulers; ++s)
    for (const auto& r : state->core->running_of(s))
      to.fail("in the end " + name + " believes that task " + to_string(r.task) + " of scheduler " +
              std::to_string(s) + " runs on machine " + std::to_string(r.machine));
}

namespace {

void check_counts(const std::string& name, const task_counts& counts, bool at_end,
                  first_violation& to) {
  if (!counts.balanced())
    to.fail("the tasks of " + name + " are not each in exactly one place");
  if (at_end && (counts.queued > 0 || counts.in_commit > 0 || counts.running > 0))
    to.fail("in the end " + name + " has " + std::to_string(counts.queued) + " tasks queued, " +
            std::to_string(counts.in_commit) + " in commit and " + std::to_string(counts.running) +
            " running");
}

void check_probing(const std::string& name, const probing_member& member, bool at_end,
                   first_violation& to) {
  check_counts(name, member.core->counts(), at_end, to);
  if (member.core->unknown_news() > 0)
    to.fail(name + " receives a start or an end that it does not expect");
  if (at_end && member.session->taking_over())
    to.fail("in the end " + name + " has still not taken over from its earlier incarnation");
}

void check_placing(const std::string& name, const placing_core& core, bool at_end,
                   first_violation& to) {
  const auto counts = core.counts();
  check_counts(name, counts, at_end, to);
  if (counts.in_commit != core.under_way())
    to.fail(name + " counts " + std::to_string(counts.in_commit) + " tasks in commit and has " +
            std::to_string(core.under_way()));
  if (const auto* failover = core.failover();
      failover != nullptr && counts.running != failover->running.size())
    to.fail(name + " counts " + std::to_string(counts.running) + " running tasks and knows of " +
            std::to_string(failover->running.size()));
  if (core.granted_twice() > 0)
    to.fail(name + " was granted a task twice");
}

} // namespace

void check_scheduler(const simulated_cluster::process& who, const scheduler_books& books,
                     bool at_end, first_violation& to) {
  const auto name = "scheduler " + std::to_string(who.number);
  if (books.probing)
    check_probing(name, *books.probing, at_end && !who.dead, to);
  else
    check_placing(name, *books.placing, at_end, to);
}

void check_queue_at_end(const simulated_cluster::process& who, first_violation& to) {
  const auto* state = light_state_of<queueing_machine_state>(who);
  if (state != nullptr && !who.dead && !state->sessions()->idle())
    to.fail("in the end machine " + std::to_string(who.number) + " is not idle");
}

} // namespace troupe
