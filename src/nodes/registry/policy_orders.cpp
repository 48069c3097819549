#include "nodes/registry/policy_orders.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace troupe {

namespace {

auto key_of(const policy_order& order) {
  return std::tie(order.at, order.schedulers, order.to.policy, order.to.settings);
}

} // namespace

bool merge_orders(std::vector<policy_order>& orders, std::span<const policy_order> more) {
  auto all = orders;
  all.insert(all.end(), more.begin(), more.end());
  std::ranges::sort(all, [](const auto& a, const auto& b) { return key_of(b) < key_of(a); });
  std::set<scheduler_id> known;
  for (auto& order : all)
    std::erase_if(order.schedulers, [&](scheduler_id s) { return !known.insert(s).second; });
  std::erase_if(all, [](const policy_order& order) { return order.schedulers.empty(); });
  std::ranges::sort(all, [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
  const auto same = [](const auto& a, const auto& b) { return key_of(a) == key_of(b); };
  if (std::ranges::equal(all, orders, same))
    return false;
  orders = std::move(all);
  return true;
}

const policy_order* order_for(std::span<const policy_order> orders, scheduler_id scheduler) {
  for (const auto& order : orders)
    if (std::ranges::binary_search(order.schedulers, scheduler))
      return &order;
  return nullptr;
}

std::vector<policy_order> since_origin(std::vector<policy_order> by_utc, std::int64_t origin) {
  std::ranges::stable_sort(by_utc, {}, &policy_order::at);
  instant next{1};
  for (auto& order : by_utc) {
    order.at -= duration{origin};
    if (order.at <= instant{0})
      order.at = next++;
  }
  return by_utc;
}

instant latest_order(std::span<const policy_order> orders) {
  instant latest{0};
  for (const auto& order : orders)
    latest = std::max(latest, order.at);
  return latest;
}

} // namespace troupe
