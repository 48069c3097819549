#include "model/base/log.hpp"
#include "nodes/agent/node_agent.hpp"
#include "nodes/policies/policy_plan.hpp"
#include "policies/policy_text.hpp"
#include "process/base/planted_command_fault.hpp"

#include <caf/all.hpp>

#include <algorithm>

namespace troupe {

namespace {

/// Time limit for the answer of a scheduler on this node to an order.
constexpr auto order_patience = std::chrono::seconds{5};

/// Gives a scheduler its new policy, and notes in the book what becomes of that.
void carry_out(caf::actor_system& system, const std::shared_ptr<policy_book>& book,
               const member_entry& scheduler, const caf::strong_actor_ptr& handle,
               const policy_order& order) {
  system.spawn([=](caf::event_based_actor* self) {
    self->request(caf::actor_cast<caf::actor>(handle), order_patience, order.to)
      .then([=] { book->done(scheduler, order.at); },
            [=](caf::error&) { book->lost(scheduler, order.at); });
  });
}

} // namespace

policy_reply node_agent::plan_policies(const policy_request& asked, instant after) const {
  const std::lock_guard lock{mutex_};
  if (!begun_)
    return {{}, "the cluster has not begun, so no scheduler has a policy yet", false};
  return troupe::plan_policies(*settings_, asked, std::max(now(), after + instant{1}));
}

void node_agent::learn_policies(const std::vector<policy_order>& orders) {
  policy_history_.learn(orders);
  policies_->learn(orders);
  tell_policies();
}

/// Tells the schedulers that live here what clients have ordered for them, each once.
void node_agent::tell_policies() {
  for (const auto& [who, handle] : living_)
    if (who.kind == party::member && who.what == role::scheduler)
      tell_policy({who.what, who.number, who.incarnation}, handle);
}

void node_agent::tell_policy(const member_entry& scheduler, const caf::strong_actor_ptr& handle) {
  const auto order = policies_->due(scheduler);
  if (!order)
    return;
  if (order->at < last_planned_change(*settings_, scheduler.number, now())) {
    policies_->done(scheduler, order->at); // the settings have changed it again since
    return;
  }
  if (find_registered(plugin_kind::placement_policy, order->to.policy) == nullptr) {
    log::warn("node {}: scheduler {} keeps its policy, as no plugin here has one named '{}'",
              who_.name, scheduler.number, order->to.policy);
    policies_->done(scheduler, order->at,
                    "no plugin on node " + who_.name + " has policy " + order->to.policy);
    return;
  }
  if (planted(command_fault::unheeded_policy)) {
    policies_->done(scheduler, order->at);
    return;
  }
  carry_out(system_, policies_, scheduler, handle, *order);
}

std::vector<policy_state> node_agent::policy_states() const {
  std::vector<member_entry> here;
  for (const auto& [who, _] : living_)
    if (who.kind == party::member && who.what == role::scheduler)
      here.push_back({who.what, who.number, who.incarnation});
  return policies_->states(here);
}

std::vector<policy_change_settings> node_agent::policy_changes() const {
  const std::lock_guard lock{mutex_};
  return policy_history_.changes();
}

} // namespace troupe
