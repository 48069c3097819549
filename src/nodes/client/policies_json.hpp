#pragma once

#include "nodes/client/policies_text.hpp"

#include <nlohmann/json_fwd.hpp>

#include <stdexcept>
#include <string>
#include <vector>

/// Policies and orders for them as JSON: the output of `troupe policy --json`, and the answers and
/// requests of the API. docs/json.md, docs/openapi.json.
namespace troupe {

nlohmann::ordered_json policies_json(const policy_table& all);

/// Returns the settings of a policy as an object of texts.
nlohmann::ordered_json settings_json(const policy_choice& choice);

/// Returns orders as a list.
nlohmann::ordered_json orders_json(const std::vector<policy_order>& orders);

/// Returns the body of a request for other policies.
nlohmann::ordered_json request_json(const policy_request& asked);

/// The text is not one of these. what() says why.
struct policy_json_error : std::runtime_error {
  policy_json_error(std::string at, const std::string& why)
    : std::runtime_error(why), place(std::move(at)) {}
  std::string place; ///< a JSON pointer
};

/// These functions read the output of the functions above. They throw `policy_json_error`.
policy_table read_policies(const nlohmann::json& from);
std::vector<policy_order> read_orders(const nlohmann::json& from);
policy_request read_policy_request(const std::string& text);

} // namespace troupe
