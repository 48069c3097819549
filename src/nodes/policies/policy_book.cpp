#include "nodes/policies/policy_book.hpp"

#include "nodes/registry/policy_orders.hpp"

#include <utility>

namespace troupe {

policy_book::entry* policy_book::find(const member_entry& scheduler) {
  const auto it = entries_.find(scheduler.number);
  return it == entries_.end() || it->second.incarnation != scheduler.incarnation ? nullptr
                                                                                 : &it->second;
}

void policy_book::learn(std::span<const policy_order> orders) {
  const std::lock_guard lock{mutex_};
  orders_.assign(orders.begin(), orders.end());
}

std::optional<policy_order> policy_book::due(const member_entry& scheduler) {
  const std::lock_guard lock{mutex_};
  auto& known = entries_[scheduler.number];
  if (known.incarnation != scheduler.incarnation)
    known = {scheduler.incarnation, instant{-1}, instant{-1}, ""};
  const auto* order = order_for(orders_, scheduler.number);
  if (order == nullptr || known.told == order->at)
    return std::nullopt;
  known.told = order->at;
  return *order;
}

void policy_book::done(const member_entry& scheduler, instant at, std::string why_not) {
  const std::lock_guard lock{mutex_};
  auto* known = find(scheduler);
  if (known == nullptr || known->told != at)
    return; // it has been told of another order since
  known->done = at;
  known->why_not = std::move(why_not);
}

void policy_book::lost(const member_entry& scheduler, instant at) {
  const std::lock_guard lock{mutex_};
  if (auto* known = find(scheduler); known != nullptr && known->told == at && known->done != at)
    known->told = instant{-1};
}

std::vector<policy_state> policy_book::states(std::span<const member_entry> schedulers) const {
  const std::lock_guard lock{mutex_};
  std::vector<policy_state> all;
  for (const auto& s : schedulers) {
    const auto it = entries_.find(s.number);
    if (it != entries_.end() && it->second.incarnation == s.incarnation &&
        it->second.done >= instant{0})
      all.push_back({s.number, it->second.done, it->second.why_not});
  }
  return all;
}

} // namespace troupe
