#include "report/json/toml_json.hpp"

#include <toml++/toml.h>

#include <string>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

json json_of(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    auto out = json::object();
    for (const auto& [key, value] : *table)
      out[std::string(key.str())] = json_of(value);
    return out;
  }
  if (const auto* array = node.as_array()) {
    auto out = json::array();
    for (const auto& value : *array)
      out.push_back(json_of(value));
    return out;
  }
  if (const auto* text = node.as_string())
    return text->get();
  if (const auto* number = node.as_integer())
    return number->get();
  if (const auto* number = node.as_floating_point())
    return number->get();
  if (const auto* truth = node.as_boolean())
    return truth->get();
  return nullptr;
}

} // namespace

json json_of_toml(std::string_view text) {
  try {
    return json_of(toml::parse(text));
  } catch (const toml::parse_error&) {
    return nullptr;
  }
}

} // namespace troupe
