#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

namespace troupe::test {

/// docs/openapi.json, with which answers are compared.
class api_description {
public:
  api_description() {
    std::ifstream in{TROUPE_SOURCE_DIR "/docs/openapi.json"};
    all_ = nlohmann::json::parse(in);
  }

  const nlohmann::json& paths() const { return all_.at("paths"); }

  /// Returns what is wrong with an answer; empty: nothing.
  std::string fault(const std::string& method, const std::string& path, unsigned status,
                    const std::string& type, const std::string& body) {
    const auto& answers = resolve(all_.at("paths").at(path).at(method)).at("responses");
    const auto code = std::to_string(status);
    if (!answers.contains(code))
      return "the status " + code + " is not described";
    seen.insert(method + ' ' + path + ' ' + code);
    const auto& content = resolve(answers.at(code)).at("content");
    if (!content.contains(type))
      return "the type " + type + " is not described";
    if (type != "application/json")
      return "";
    return fault_of(nlohmann::json::parse(body), content.at(type).at("schema"), "");
  }

  std::set<std::string> seen;

private:
  const nlohmann::json& resolve(const nlohmann::json& node) const {
    if (!node.contains("$ref"))
      return node;
    return all_.at(nlohmann::json::json_pointer{node.at("$ref").get<std::string>().substr(1)});
  }

  static bool is(const nlohmann::json& value, const std::string& type) {
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "integer" ? value.is_number_integer()
           : type == "number"  ? value.is_number()
           : type == "boolean" ? value.is_boolean()
                               : value.is_null();
  }

  static const nlohmann::json* described_member(const nlohmann::json& schema,
                                                const std::string& name) {
    if (schema.contains("properties") && schema.at("properties").contains(name))
      return &schema.at("properties").at(name);
    const auto others = schema.find("additionalProperties");
    return others != schema.end() && others->is_object() ? &*others : nullptr;
  }

  std::string fault_of(const nlohmann::json& value, const nlohmann::json& unresolved,
                       const std::string& where) const {
    const auto& schema = resolve(unresolved);
    if (schema.contains("enum") && !std::ranges::count(schema.at("enum"), value))
      return where + " is " + value.dump();
    if (schema.contains("type")) {
      const auto& type = schema.at("type");
      bool fits = false;
      for (const auto& t : type.is_array() ? type : nlohmann::json::array({type}))
        fits = fits || is(value, t);
      if (!fits)
        return where + " is " + value.dump();
    }
    if (value.is_object()) {
      for (const auto& name : schema.value("required", nlohmann::json::array()))
        if (!value.contains(name))
          return where + " has no " + name.get<std::string>();
      for (const auto& [name, member] : value.items()) {
        const auto* described = described_member(schema, name);
        if (described == nullptr)
          return where + '/' + name + " is not described";
        if (auto wrong = fault_of(member, *described, where + '/' + name); !wrong.empty())
          return wrong;
      }
    }
    if (value.is_array())
      for (const auto& element : value)
        if (auto wrong = fault_of(element, schema.at("items"), where + "[]"); !wrong.empty())
          return wrong;
    return "";
  }

  nlohmann::json all_;
};

} // namespace troupe::test
