#include "nodes/agent/hosted/policy_carrier.hpp"

#include "model/base/log.hpp"
#include "nodes/policies/policy_plan.hpp"
#include "policies/policy_text.hpp"
#include "process/base/planted_command_fault.hpp"

#include <caf/all.hpp>

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

void policy_carrier::tell_all(const resident_actors& here) {
  for (const auto& [who, handle] : here.all())
    if (who.kind == party::member && who.what == role::scheduler)
      tell({who.what, who.number, who.incarnation}, handle);
}

void policy_carrier::tell(const member_entry& scheduler, const caf::strong_actor_ptr& handle) {
  const auto order = book_->due(scheduler);
  if (!order)
    return;
  if (order->at < last_planned_change(*cluster_.settings(), scheduler.number, cluster_.now())) {
    book_->done(scheduler, order->at); // the settings have changed it again since
    return;
  }
  const auto& name = node_.who.name;
  if (find_registered(plugin_kind::placement_policy, order->to.policy) == nullptr) {
    log::warn("node {}: scheduler {} keeps its policy, as no plugin here has one named '{}'", name,
              scheduler.number, order->to.policy);
    book_->done(scheduler, order->at,
                "no plugin on node " + name + " has policy " + order->to.policy);
    return;
  }
  if (planted(command_fault::unheeded_policy)) {
    book_->done(scheduler, order->at);
    return;
  }
  carry_out(node_.system, book_, scheduler, handle, *order);
}

} // namespace troupe
