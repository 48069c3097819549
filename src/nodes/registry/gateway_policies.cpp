#include "nodes/registry/gateway_policies.hpp"

#include "model/base/log.hpp"
#include "nodes/registry/gateway_forward.hpp"
#include "nodes/registry/gateway_master.hpp"
#include "policies/policy_text.hpp"

#include <caf/all.hpp>

namespace troupe {

caf::result<policy_reply> order_policies(gateway_pointer self, const policy_request& asked) {
  auto& state = self->state;
  if (!state.is_master())
    return ask_master<policy_reply>(self, asked);
  auto reply = state.config.plan_policies(asked, state.book->list());
  for (const auto& order : reply.orders)
    log::info("master: policy {} from {} s on for {} of the schedulers", policy_text(order.to),
              to_seconds(order.at), order.schedulers.size());
  if (state.book->order_policies(reply.orders))
    publish_list(self);
  return reply;
}

} // namespace troupe
