#include "nodes/client/policies_json.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace troupe {

namespace {

using parsed_json = nlohmann::json;
using written_json = nlohmann::ordered_json;

constexpr double ns_per_s = 1e9;

/// Calls `read`; what JSON does not have is a fault of the text.
template <class Read>
auto reading(Read read) {
  try {
    return read();
  } catch (const parsed_json::exception& e) {
    throw policy_json_error{"", std::string{"these are no policies: "} + e.what()};
  }
}

instant instant_of(const parsed_json& seconds) {
  return instant{std::llround(seconds.get<double>() * ns_per_s)};
}

policy_choice choice_of(const parsed_json& from) {
  policy_choice choice{from.at("policy"), {}};
  for (const auto& [name, value] : from.at("settings").items())
    choice.settings.push_back(name + '=' + value.get<std::string>());
  return choice;
}

policy_presence presence_of(const std::string& name) {
  if (const auto known = choice_named<policy_presence>(name))
    return *known;
  throw policy_json_error{"", "these are no policies: a scheduler is '" + name + '\''};
}

policy_row row_of(const parsed_json& from) {
  policy_row row;
  auto& p = row.policy;
  p.scheduler = from.at("number");
  p.group = from.value("group", "");
  p.policy = choice_of(from);
  p.changes = from.at("changeable");
  p.ordered = from.value("by", "") == "client";
  if (from.contains("since_s"))
    p.since = instant_of(from["since_s"]);
  row.state = presence_of(from.at("state"));
  row.why_not = from.value("reason", "");
  row.node = from.at("node").is_null() ? "" : from["node"].get<std::string>();
  return row;
}

/// Renders a value for a message. The elements of an array or an object are left out: writing them
/// is recursive, and deep nesting would overflow the stack.
std::string shown(const parsed_json& value) {
  if (value.is_structured() && !value.empty())
    return value.is_array() ? "an array" : "an object";
  return value.dump(-1, ' ', false, parsed_json::error_handler_t::replace);
}

scheduler_id scheduler_of(const parsed_json& value, std::size_t place) {
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() <= std::numeric_limits<scheduler_id>::max())
    return value.get<scheduler_id>();
  throw policy_json_error{"/schedulers/" + std::to_string(place),
                          "is " + shown(value) + "; expected the number of a scheduler"};
}

constexpr std::size_t longest_word = 1'000;

std::string text_at(const std::string& place, const parsed_json& value) {
  if (value.is_string() && value.get_ref<const std::string&>().size() > longest_word)
    throw policy_json_error{place, "is too long; expected at most " + std::to_string(longest_word) +
                                     " bytes"};
  if (value.is_string())
    return value;
  throw policy_json_error{place, "is " + shown(value) + "; expected a text"};
}

const parsed_json& list_at(const std::string& place, const parsed_json& value) {
  if (!value.is_array())
    throw policy_json_error{place, "is no list"};
  return value;
}

} // namespace

written_json settings_json(const policy_choice& choice) {
  auto settings = written_json::object();
  for (const auto& text : choice.settings)
    if (const auto equals = text.find('='); equals != std::string::npos)
      settings[text.substr(0, equals)] = text.substr(equals + 1);
  return settings;
}

written_json policies_json(const policy_table& all) {
  auto schedulers = written_json::array();
  for (const auto& row : all.rows) {
    const auto& p = row.policy;
    written_json one{{"number", p.scheduler}};
    if (!p.group.empty())
      one["group"] = p.group;
    one["policy"] = p.policy.policy;
    one["settings"] = settings_json(p.policy);
    one["changeable"] = p.changes;
    if (p.changes) {
      one["since_s"] = to_seconds(p.since);
      one["by"] = p.ordered ? "client" : "settings";
    }
    one["state"] = to_string(row.state);
    if (!row.why_not.empty())
      one["reason"] = row.why_not;
    one["node"] = row.node.empty() ? written_json(nullptr) : written_json(row.node);
    schedulers.push_back(std::move(one));
  }
  return {{"time_s", to_seconds(all.now)}, {"schedulers", std::move(schedulers)}};
}

written_json orders_json(const std::vector<policy_order>& orders) {
  auto changes = written_json::array();
  for (const auto& order : orders)
    changes.push_back({{"policy", order.to.policy},
                       {"settings", settings_json(order.to)},
                       {"since_s", to_seconds(order.at)},
                       {"schedulers", order.schedulers}});
  return changes;
}

written_json request_json(const policy_request& asked) {
  return {{"policy", asked.policy}, {"settings", asked.settings}, {"schedulers", asked.schedulers}};
}

policy_table read_policies(const parsed_json& from) {
  return reading([&] {
    policy_table table{instant_of(from.at("time_s")), {}};
    for (const auto& one : from.at("schedulers"))
      table.rows.push_back(row_of(one));
    return table;
  });
}

std::vector<policy_order> read_orders(const parsed_json& from) {
  return reading([&] {
    std::vector<policy_order> orders;
    for (const auto& one : from)
      orders.push_back({instant_of(one.at("since_s")),
                        one.at("schedulers").get<std::vector<scheduler_id>>(), choice_of(one)});
    return orders;
  });
}

policy_request read_policy_request(const std::string& text) {
  const auto body = parsed_json::parse(text, nullptr, false);
  if (!body.is_object())
    throw policy_json_error{"", "expected a JSON object with the member policy"};
  policy_request asked;
  for (const auto& [name, value] : body.items()) {
    const auto place = '/' + name;
    if (name == "policy")
      asked.policy = text_at(place, value);
    else if (name == "settings")
      for (const auto& one : list_at(place, value))
        asked.settings.push_back(text_at(place + '/' + std::to_string(asked.settings.size()), one));
    else if (name == "schedulers")
      for (const auto& one : list_at(place, value))
        asked.schedulers.push_back(scheduler_of(one, asked.schedulers.size()));
    else
      throw policy_json_error{place, "is unknown; expected policy, settings or schedulers"};
  }
  if (asked.policy.empty())
    throw policy_json_error{"/policy", "is missing"};
  return asked;
}

} // namespace troupe
