#include "nodes/policies/policy_history.hpp"

#include "nodes/policies/policy_plan.hpp"
#include "nodes/registry/policy_orders.hpp"

#include <algorithm>
#include <iterator>

namespace troupe {

void policy_history::learn(const std::vector<policy_order>& orders) {
  const auto before = latest_order(all_);
  std::ranges::copy_if(orders, std::back_inserter(all_),
                       [&](const policy_order& order) { return order.at > before; });
  now_ = orders;
}

void policy_history::note(const run_settings& settings, instant now, instant from,
                          live_board& shown, cluster_events& events) {
  if (noted_ == all_.size())
    return;
  const auto at = std::max(instant{0}, instant{now - from});
  const auto policies = policies_at(settings, now_, now);
  shown.change([&](live_state& state) {
    name_policies(state.about, policies);
    for (; noted_ < all_.size(); ++noted_) {
      const auto& order = all_[noted_];
      std::ranges::move(changes_of_groups(settings, {&order, 1}, from),
                        std::back_inserter(changes_));
      if (order.at < from) {
        for (const auto s : order.schedulers)
          if (s < state.schedulers.size() && state.samples == 0)
            state.schedulers[s].policy = order.to.policy;
        continue;
      }
      const auto event = policy_event(at, order);
      events.note(event);
      state.note(event.at, to_string(event.event), event.member, "ordered: " + event.detail);
    }
  });
}

} // namespace troupe
