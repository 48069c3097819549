#include "nodes/registry/gateway_policies.hpp"

#include "model/base/log.hpp"
#include "nodes/registry/gateway_forward.hpp"
#include "nodes/registry/gateway_master.hpp"
#include "nodes/registry/policy_orders.hpp"
#include "policies/policy_text.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

void give(gateway_pointer self, const std::vector<policy_order>& orders) {
  for (const auto& order : orders)
    log::info("master: policy {} from {} s on for {} of the schedulers", policy_text(order.to),
              to_seconds(order.at), order.schedulers.size());
  if (self->state.book->order_policies(orders))
    publish_list(self);
}

} // namespace

caf::result<policy_reply> order_policies(gateway_pointer self, const policy_request& asked) {
  auto& state = self->state;
  if (!state.is_master())
    return ask_master<policy_reply>(self, asked);
  const auto& list = state.book->list();
  auto reply =
    state.config.plan_policies(asked, std::max(state.ordered, latest_order(list.policies)));
  state.ordered = std::max(state.ordered, latest_order(reply.orders));
  if (reply.orders.empty() || !state.config.keep_policies) {
    give(self, reply.orders);
    return reply;
  }
  auto answer = self->make_response_promise<policy_reply>();
  const auto number = state.orders.add(answer);
  const auto orders = reply.orders;
  state.config.keep_policies(
    orders, list.origin,
    [number, reply = std::move(reply), self = caf::actor_cast<caf::actor>(self)](bool durable) {
      caf::anon_send(self, number, durable ? reply : policy_reply{});
    });
  return answer;
}

void take_kept_orders(gateway_pointer self, std::uint64_t number, policy_reply reply) {
  if (self->current_sender())
    return;
  if (reply.orders.empty()) {
    self->state.orders.refuse(number, caf::make_error(caf::sec::runtime_error,
                                                      "the store of jobs, which keeps policies, "
                                                      "does not work now; ask again later"));
    return;
  }
  give(self, reply.orders);
  self->state.orders.answer(number, std::move(reply));
}

} // namespace troupe
