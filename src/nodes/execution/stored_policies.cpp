#include "nodes/execution/stored_policies.hpp"

#include "model/base/log.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <tuple>
#include <utility>

namespace troupe {

std::vector<ordered_policy_row> rows_of(const std::vector<policy_order>& orders,
                                        std::int64_t origin) {
  std::vector<ordered_policy_row> rows;
  for (const auto& order : orders) {
    const auto settings = nlohmann::json(order.to.settings)
                            .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    for (const auto s : order.schedulers)
      rows.push_back({s, origin + order.at.count(), order.to.policy, settings});
  }
  return rows;
}

std::vector<policy_order> orders_of(const std::vector<ordered_policy_row>& rows) {
  std::map<std::tuple<std::int64_t, std::string, std::string>, policy_order> orders;
  for (const auto& row : rows) {
    auto& order = orders[{row.at_ns, row.policy, row.settings}];
    if (order.schedulers.empty()) {
      const auto settings = nlohmann::json::parse(row.settings, nullptr, false);
      try {
        order = {instant{row.at_ns}, {}, {row.policy, settings.get<std::vector<std::string>>()}};
      } catch (const nlohmann::json::exception&) {
        log::warn("the store has an order for the policy of scheduler {} that cannot be read",
                  row.scheduler);
        continue;
      }
    }
    order.schedulers.push_back(row.scheduler);
  }
  std::vector<policy_order> all;
  for (auto& [_, order] : orders)
    if (!order.schedulers.empty())
      all.push_back(std::move(order));
  return all;
}

} // namespace troupe
